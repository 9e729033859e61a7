import { runProgram } from './program.ts';

await runProgram({
  gateway: async () => (await import('./gateway.ts')).gatewayCommand(),
  verify: async () => (await import('./verify.ts')).verifyCommand(),
  compare: async () => (await import('./read-pacts.ts')).compareCommand(),
  pact: async () => (await import('./pact.ts')).pactCommand(),
  probe: async () => (await import('./probe.ts')).probeCommand(),
  assumptions: async () => (await import('./assumptions.ts')).assumptionsCommand(),
});
