import { Command } from 'commander';
import { type ServiceName, serviceNames } from '../spec/documents/services.ts';
import { exitCodeOf } from '../stubs/suite/program.ts';
import { environmentText, envOption, type Given, variablesOf } from './env-option.ts';
import { type StubGiven, withStubOptions } from './stub-options.ts';
import { orNotStarted, runSuite } from './suite.ts';
import { commandWords, remindOfDashes } from './suite-words.ts';

interface Options extends StubGiven {
  env: Given[];
}

const examples = `
Examples:
  $ passerelle run pos -- npm test
  $ passerelle run pos --env SHOP_API={url}/api/v1 -- vendor/bin/phpunit
  $ passerelle run pos cohesion --env pos=TILL_URL --env cohesion=DASHBOARD_URL -- pytest
  $ passerelle run pos --fault createSale:status=503,times=1 --assume harmless=all -- npm test
  $ passerelle run pos --tls --env REQUESTS_CA_BUNDLE={ca_file} -- pytest
${environmentText}
  With --tls also NODE_EXTRA_CA_CERTS, and PASSERELLE_POS_CA_FILE: the file of the authority that clients trust.

The command has your terminal: standard input, output and error are its own. SIGINT, SIGTERM and SIGHUP are passed on to it.
Nothing limits its time: for that write timeout 60 passerelle run pos -- npm test.
Exit codes: that of the command, 128 + n if signal n ended it, 127 if there is no such program, 126 if it cannot be started,
2 if no stub could be started.`;

export function runCommand(): Command {
  const command = remindOfDashes(new Command('run'))
    .summary('run a command, such as a test suite, with stubs')
    .description(
      'Starts a stub of each API on a free port, runs a command that finds their addresses and credentials in its environment, and ends with its exit code.',
    )
    .argument('[words...]', `the APIs that the command calls (${serviceNames.join(', ')}), then -- and the command`)
    .addOption(envOption());
  return withStubOptions(command, 'a free one')
    .addHelpText('after', examples)
    .action(async (words: string[], options: Options) => {
      const { apis, suite } = commandWords(words, command);
      const { optionsByApi } = await import('./suite-options.ts');
      const optionsOf = await optionsByApi(apis, options);
      const variables = variablesOf(apis, options.env);
      const { startStub } = await import('../stubs/stub.ts');
      const start = (api: ServiceName) => startStub(api, optionsOf(api));
      process.exitCode = await orNotStarted(async () =>
        exitCodeOf(await runSuite({ apis, words: suite, start, variables, tls: options }, ({ run }) => run())),
      );
    });
}
