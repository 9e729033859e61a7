/**
 * Makes what git does not keep: the prepared database, the OpenAPI documents, the pages, which need the documents, and the examples of
 * replies. With `--if-changed`, which each of the programs reads itself, it makes only what is out of date.
 */
// One after the other: modules that are imported together would run at once.
await import('../gateway/start/prepare.ts');
await import('../contracts/tools/write-openapi.ts');
await import('../gateway/console/build.ts');
await import('../stubs/examples/write.ts');
