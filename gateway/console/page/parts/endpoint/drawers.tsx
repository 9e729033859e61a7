import { answer, api } from '../../lib/api.ts';
import type { Endpoint } from '../../lib/endpoint-state.ts';
import { text } from '../../texts/shared.ts';
import { ChangeDrawer, CreationDrawer, type DrawerProps } from './drawer-frames.tsx';
import { type EndpointFields, EndpointForm, type OwnerField } from './form.tsx';

const { new: title, ...texts } = text.parts.endpointForm;

/** Creates an endpoint, then shows its signing secret. */
export const NewEndpointDrawer = ({ ownerField, ...drawer }: DrawerProps & { ownerField?: OwnerField }) => (
  <CreationDrawer
    {...drawer}
    texts={{ ...texts, title }}
    create={async (body: EndpointFields) => (await answer(api.POST('/endpoints', { body }))).data}
    hrefOf={(id) => `/endpoints/${id}?test=1`}
    form={(props) => <EndpointForm {...props} ownerField={ownerField} />}
  />
);

export function EditDrawer({ endpoint, ...drawer }: DrawerProps & { endpoint: Endpoint }) {
  const { id, service, url, description, events, perimeter, max_in_flight, max_per_second, ordered } = endpoint;
  return (
    <ChangeDrawer
      {...drawer}
      texts={texts}
      endpoint={{ service, url, description, events, perimeter, max_in_flight, max_per_second, ordered }}
      save={({ service: _, ...body }: EndpointFields) => answer(api.PATCH('/endpoints/{id}', { params: { path: { id } }, body }))}
      form={(props) => <EndpointForm {...props} />}
    />
  );
}
