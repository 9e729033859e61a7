/**
 * Makes what is made from the sources and is not committed, each from what stands before it: the prepared database, the OpenAPI documents, the
 * pages. `--if-changed`, which the three programs read themselves, makes only what is out of date.
 */
// One after the other: modules that are imported together would run at once.
await import('../gateway/start/prepare.ts');
await import('../contracts/tools/write-openapi.ts');
await import('../gateway/console/build.ts');
