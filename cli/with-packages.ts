import type { Load, WithPackages } from './program.ts';

export const withPackages = {
  gateway: async () => (await import('./gateway.ts')).gatewayCommand(),
  verify: async () => (await import('./verify.ts')).verifyCommand(),
  compare: async () => (await import('./compare.ts')).compareCommand(),
  pact: async () => (await import('./pact.ts')).pactCommand(),
  probe: async () => (await import('./probe.ts')).probeCommand(),
  assumptions: async () => (await import('./assumptions.ts')).assumptionsCommand(),
} satisfies WithPackages & Record<string, Load>;
