import { Command } from 'commander';
import { canIDeploy } from '../contracts/tools/broker/can-i-deploy.ts';
import { publishPacts } from '../contracts/tools/broker/publish.ts';
import { recordDeployment } from '../contracts/tools/broker/record-deployment.ts';
import { brokerFromEnvironment, requireBroker } from '../contracts/tools/broker/settings.ts';
import { address, exitCodes, say } from './command.ts';

const credentials = `
The broker's address may stand in PACT_BROKER_BASE_URL; its credentials are PACT_BROKER_TOKEN, or PACT_BROKER_USERNAME and
PACT_BROKER_PASSWORD.`;

interface BrokerOption {
  broker?: string;
}

const brokerOf = ({ broker }: BrokerOption) => requireBroker(brokerFromEnvironment(process.env, { url: broker }));

const asking = (name: string) =>
  new Command(name).option('--broker <url>', 'the Pact Broker', address).option('--json', 'for programs', false);

interface Publish extends BrokerOption {
  appVersion: string;
  branch?: string;
  tag?: string[];
  buildUrl?: string;
  json: boolean;
}

const publishCommand = () =>
  asking('publish')
    .summary('publish pacts')
    .argument('<place...>', 'files or folders of pacts')
    .requiredOption('--app-version <version>', "the consumer's version, such as the hash of its commit")
    .option('--branch <branch>', 'its branch')
    .option('--tag <tag...>', 'tags of the version')
    .option('--build-url <url>', 'where the build can be seen', address)
    .addHelpText('after', '\nExample:\n  $ passerelle broker publish ./pacts --app-version "$(git rev-parse HEAD)" --branch main')
    .action(async (places: string[], { appVersion, branch, tag, buildUrl, json, ...of }: Publish) => {
      const { published } = await publishPacts({
        broker: brokerOf(of),
        pacts: places,
        version: appVersion,
        branch,
        tags: tag,
        buildUrl,
      });
      if (json) say(JSON.stringify({ published }, null, 2));
      else for (const { consumer, provider } of published) say(`published: ${consumer} with ${provider}, version ${appVersion}`);
    });

interface CanIDeploy extends BrokerOption {
  pacticipant: string;
  appVersion: string;
  toEnvironment?: string;
  retryWhileUnknown?: string;
  json: boolean;
}

const canIDeployCommand = () =>
  asking('can-i-deploy')
    .summary('whether a version can be deployed')
    .requiredOption('--pacticipant <name>', 'the application, as its pacts name it')
    .requiredOption('--app-version <version>', 'its version')
    .option('--to-environment <name>', 'beside what is deployed there; by default beside the latest of all')
    .option('--retry-while-unknown <times>', 'ask again, every 10 s, while results are missing')
    .addHelpText('after', '\nExit codes: 0 yes, 1 no, 2 could not ask.')
    .action(async ({ pacticipant, appVersion, toEnvironment, retryWhileUnknown, json, ...of }: CanIDeploy) => {
      const answer = await canIDeploy({
        broker: brokerOf(of),
        pacticipant,
        version: appVersion,
        toEnvironment,
        ...(retryWhileUnknown === undefined
          ? {}
          : { retryWhileUnknown: { times: Number(retryWhileUnknown), intervalSeconds: 10 } }),
      });
      const { output: _, ...shown } = answer;
      say(json ? JSON.stringify(shown, null, 2) : `${answer.deployable ? 'yes' : 'no'}: ${answer.reason}`);
      process.exitCode = answer.deployable ? exitCodes.ok : exitCodes.failed;
    });

interface Deployment extends BrokerOption {
  pacticipant: string;
  appVersion: string;
  environment: string;
}

const recordDeploymentCommand = () =>
  asking('record-deployment')
    .summary('say that a version is deployed')
    .requiredOption('--pacticipant <name>', 'the application, as its pacts name it')
    .requiredOption('--app-version <version>', 'its version')
    .requiredOption('--environment <name>', 'where')
    .action(async ({ pacticipant, appVersion, environment, ...of }: Deployment) => {
      await recordDeployment({ broker: brokerOf(of), pacticipant, version: appVersion, environment });
      say(`recorded: ${pacticipant} ${appVersion} is deployed to ${environment}`);
    });

export function brokerCommand(): Command {
  return new Command('broker')
    .summary('publish pacts to a Pact Broker, and ask it')
    .description("Works with a Pact Broker through Pact's own command line.")
    .addHelpText('after', credentials)
    .addCommand(publishCommand())
    .addCommand(canIDeployCommand())
    .addCommand(recordDeploymentCommand());
}
