import { useEndpointName } from '../lib/endpoints.ts';

export const EndpointName = ({ id }: { id: string }) => useEndpointName(id);
