import { Command } from 'commander';
import { readVersion } from '../gateway/base/own-files.ts';

const examples = `
Examples:
  $ claude mcp add passerelle -- npx --no -- passerelle mcp
  {"mcpServers": {"passerelle": {"command": "npx", "args": ["--no", "--", "passerelle", "mcp"]}}}

The tools that work with a stub or gateway use PASSERELLE_URL and PASSERELLE_OPERATOR_TOKEN if their arguments name none.
check_signature uses PASSERELLE_SIGNING_SECRET, so that the agent need not know the secret.
A client starts the program and ends it by closing its input.`;

const instructions =
  'Passerelle has the documents, an implementation and stubs of two REST APIs. Ask search_documents before you guess what an API does, and explain_calls why a call was refused.';

export function mcpCommand(): Command {
  return new Command('mcp')
    .summary('answer a coding agent over MCP')
    .description(
      'Serves the Model Context Protocol on standard input and output: what the documents say, why a call was refused, examples, signatures, faults, and questions about a test suite.',
    )
    .addHelpText('after', examples)
    .action(async () => {
      const [{ McpServer }, { serveStdio }, { tools }] = await Promise.all([
        import('@modelcontextprotocol/server'),
        import('@modelcontextprotocol/server/stdio'),
        import('./mcp-tools.ts'),
      ]);
      serveStdio(() => {
        const server = new McpServer({ name: 'passerelle', version: readVersion() }, { instructions });
        for (const register of tools) register(server);
        return server;
      });
    });
}
