/**
 * Makes what is made from the sources and is not committed, each from what stands before it: the prepared database, the OpenAPI documents, the
 * pages, and the examples of replies. `--if-changed`, which the programs read themselves, makes only what is out of date.
 */
// One after the other: modules that are imported together would run at once.
await import('../gateway/start/prepare.ts');
await import('../contracts/tools/write-openapi.ts');
await import('../gateway/console/build.ts');
await import('../stubs/examples/write.ts');
