/** Calls a minute of a point-of-sale account by its plan (document section 8), the smallest plan first. Null means unlimited. */
export const callsPerMinute = { free: 100, pro: 1000, enterprise: null } as const;
export type Plan = keyof typeof callsPerMinute;
export const plans = Object.keys(callsPerMinute) as [Plan, ...Plan[]];

/** The calls a minute of each plan: "Free 100, Pro 1000, Enterprise unlimited". */
export const planLimits = (unlimited = 'unlimited'): string =>
  plans.map((plan) => `${plan.charAt(0).toUpperCase()}${plan.slice(1)} ${callsPerMinute[plan] ?? unlimited}`).join(', ');
