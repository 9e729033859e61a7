import { ChangeDrawer, CreationDrawer, type DrawerProps } from '../../page/parts/endpoint/drawer-frames.tsx';
import type { CommonFields } from '../../page/parts/endpoint/form-fields.tsx';
import { answer, profile } from '../lib/api.ts';
import type { Endpoint } from '../lib/endpoints.ts';
import { text } from '../texts/index.ts';
import { EndpointForm } from './endpoint-form.tsx';

const texts = text.webhooks.form;

/** Creates an endpoint, then shows its signing secret. */
export const NewEndpointDrawer = (drawer: DrawerProps) => (
  <CreationDrawer
    {...drawer}
    texts={texts}
    create={async (body: CommonFields) => (await answer(profile.POST('/endpoints', { body }))).data}
    hrefOf={(id) => `/endpoints/${id}`}
    form={(props) => <EndpointForm {...props} />}
  />
);

export function EditDrawer({ endpoint, ...drawer }: DrawerProps & { endpoint: Endpoint }) {
  const { id, url, description, events, perimeter, ordered } = endpoint;
  return (
    <ChangeDrawer
      {...drawer}
      texts={texts}
      endpoint={{ url, description, events, perimeter, ordered }}
      save={(body: CommonFields) => answer(profile.PATCH('/endpoints/{id}', { params: { path: { id } }, body }))}
      form={(props) => <EndpointForm {...props} />}
    />
  );
}
