/**
 * Checks manifests against Kubernetes' schemas: `node check-manifests.ts FOLDER FILE...`, where FOLDER/node_modules has the package
 * kubernetes-models. Its validators find wrong and missing values; its types find unknown fields, which the validators allow.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

const [folder = '', ...files] = process.argv.slice(2);
const manifests = files.flatMap((file) => parseAllDocuments(readFileSync(file, 'utf8')).map((document) => document.toJS()));

const checks = manifests.map((manifest, index) => {
  const { apiVersion, kind, ...content } = manifest;
  return `import { ${kind} as Kind${index} } from 'kubernetes-models/${apiVersion}';
try {
  new Kind${index}(${JSON.stringify(content, null, 2)}).validate();
} catch (error) {
  throw new Error('${kind} ${content.metadata.name}: ' + String(error));
}`;
});
const program = join(folder, 'check.ts');
writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
writeFileSync(program, checks.join('\n'));
const options = ['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext'];
for (const [command, ...args] of [
  ['node', program],
  ['tsc', ...options, program],
] as [string, ...string[]][]) {
  try {
    execFileSync(command, args, { stdio: 'pipe', encoding: 'utf8' });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    process.stderr.write(`${stdout}${stderr}`);
    process.exit(1);
  }
}
process.stdout.write(`${manifests.length} manifests are as Kubernetes' schemas want them.\n`);
