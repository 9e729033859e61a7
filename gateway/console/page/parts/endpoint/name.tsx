import { useEndpointName } from '../../lib/endpoint-names.ts';

export const EndpointName = ({ id }: { id: string }) => useEndpointName(id);
