/**
 * The services that the two documents describe, by name. A third API is one entry here and one folder in `gateway/api`.
 */
export const services = {
  pos: { title: 'Point of Sale', document: 'spec/point-of-sale.md' },
  cohesion: { title: 'Social Cohesion', document: 'spec/social-cohesion.md' },
} as const;

/** A service that is documented: the provider of its pacts, and the name of its API. */
export type Provider = keyof typeof services;
