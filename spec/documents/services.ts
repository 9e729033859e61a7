/**
 * The documented services by name. Everything that lists services derives from this register. For a new service, add an
 * entry and run `npx tsc -p .`: it names the places that still miss it.
 */
export const services = {
  pos: {
    title: 'Point of Sale',
    document: 'spec/point-of-sale.md',
    documentTitle: 'Point of Sale Integration API',
    about: 'sales, payments, stock',
    /** What the events of its endpoints' perimeters are about. */
    subjects: 'Stores',
    /** The event type that `passerelle stub` suggests to trigger. */
    exampleEvent: 'sale.completed',
    stubPort: 4010,
  },
  cohesion: {
    title: 'Social Cohesion',
    document: 'spec/social-cohesion.md',
    documentTitle: 'Social Cohesion Management API',
    about: 'social programmes',
    subjects: 'Structures',
    exampleEvent: 'intervention.validated',
    stubPort: 4020,
  },
} as const;

export type ServiceName = keyof typeof services;
export const serviceNames = Object.keys(services) as [ServiceName, ...ServiceName[]];

/** Every API with an OpenAPI document: the services, the operator's API, and the partners' own. */
export const apiNames = [...serviceNames, 'manage', 'profile'] as const;
export type ApiName = (typeof apiNames)[number];

/**
 * How documents and messages run the command line of an installed package. Without `--no`, npx would install what a stranger
 * publishes under that name, where it is not installed (decision 135).
 */
export const npxCommand = 'npx --no -- passerelle';
