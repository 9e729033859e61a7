/** The command line of the single executable (`packaging/binary.ts`), for machines without Node. */
import { Command } from 'commander';
import { npxCommand } from '../contracts/documents/services.ts';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { ownFiles } from '../gateway/base/own-files.ts';
import { oldestNode } from '../stubs/node-version.ts';
import { say } from './command.ts';
import { type Load, runProgram } from './program.ts';

void runProgram({
  gateway: refused('gateway'),
  verify: refused('verify'),
  compare: refused('compare'),
  pact: refused('pact'),
  assumptions: refused('assumptions'),
  probe: async () => (await import('./probe.ts')).probeCommand(),
  licenses: async () =>
    new Command('licenses')
      .summary('print the licenses of the programs in this executable')
      .action(() => say(ownFiles.readSync(new URL('../THIRD-PARTY-LICENSES.txt', import.meta.url)).toString())),
});

/** A command that says how to get it. It takes any arguments, so that no other mistake is reported first. */
function refused(name: string): Load {
  return async () =>
    new Command(name)
      .summary('not in this executable: needs the npm package')
      .argument('[anything...]')
      .allowUnknownOption()
      .helpOption(false)
      .action(() => {
        throw new CouldNotRun(
          `"${name}" is not in this executable. It needs Node ${oldestNode} or newer and the npm package, which is built from a clone of the repository (docs/partners/start-node.md): npm install --save-dev ./passerelle-*.tgz, then ${npxCommand} ${name}`,
        );
      });
}
