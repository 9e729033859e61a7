import { Alert, Group, Stack, Text } from '@mantine/core';
import type { paths } from '../../lib/api.ts';
import { text } from '../../texts/shared.ts';
import { Code } from '../code.tsx';
import { Hint } from '../hint.tsx';
import type { Icon } from '../icons/icon.tsx';
import { IconCheck, IconMinus, IconX } from '../icons/tabler.ts';
import { ServerText } from '../server-text.tsx';

const says = text.delivery.diagnosis;
const known = text.server.diagnosis;

type Diagnosis = paths['/deliveries/{id}/diagnose']['post']['responses'][200]['content']['application/json']['data'];

/** The result of the comparison: valid or not, the mistake and its fix. */
export const DiagnosisResult = ({ of: { genuine, finding, checked } }: { of: Diagnosis }) => (
  <Alert color={genuine ? 'teal' : 'red'} title={genuine ? says.valid : says.invalid}>
    <Stack gap="sm">
      <Text size="sm" className="break-anywhere">
        <Result finding={finding} />
      </Text>
      {finding.mistakes.map(({ id, fix, code }) => (
        <Stack key={id} gap={4}>
          <Text size="sm" fw={600}>
            <Said own={known.mistakes[id]?.fix} english={fix} />
          </Text>
          {code !== null && <Code title={says.fix} text={code} />}
        </Stack>
      ))}
      <Stack gap={4} role="list" aria-label={says.compared}>
        {checked.map((comparison) => (
          <Group key={comparison.what} gap={6} wrap="nowrap" align="flex-start" role="listitem">
            <ComparisonIcon same={comparison.same} />
            <Text size="sm" className="break-anywhere">
              {says.part(<b>{says.parts[comparison.what]}</b>, <Compared {...comparison} />)}
            </Text>
          </Group>
        ))}
      </Stack>
      {genuine && !finding.replay_checked && <Hint>{says.replay}</Hint>}
    </Stack>
  </Alert>
);

/** A sentence of the catalogue; the gateway's own if the catalogue does not have it. */
const Said = ({ own, english }: { own: string | undefined; english: string }) => own ?? <ServerText>{english}</ServerText>;

const Compared = ({ case: name, values, says: english }: Diagnosis['checked'][number]) => (
  <Said own={known.comparisons[name]?.(values)} english={english} />
);

/** Why the signature is refused, and all mistakes. */
function Result({ finding: { reason, message, cause, mistakes, replay_checked } }: { finding: Diagnosis['finding'] }) {
  const name = reason ?? (replay_checked ? 'valid' : 'valid_at_any_time');
  return (
    <>
      <Said own={known.reasons[name]} english={message} />
      {cause !== 'none' && ` ${says[cause]}`}
      {mistakes.map(({ id, says: english }) => (
        <span key={id}>
          {' '}
          <Said own={known.mistakes[id]?.says} english={english} />
        </span>
      ))}
    </>
  );
}

const icons: readonly (readonly [boolean | null, Icon, string, string])[] = [
  [true, IconCheck, 'teal', says.same],
  [false, IconX, 'red', says.different],
  [null, IconMinus, 'gray', says.notCompared],
];

function ComparisonIcon({ same }: { same: boolean | null }) {
  const [, Icon, colour, label] = icons.find(([one]) => one === same) ?? [null, IconMinus, 'gray', says.notCompared];
  return <Icon size={16} color={`var(--mantine-color-${colour}-6)`} role="img" aria-label={label} />;
}
