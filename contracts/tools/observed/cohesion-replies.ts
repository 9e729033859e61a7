import { create, indicator, indicators, interventions, lists, stats } from '../../../spec/gaps/is/cohesion.ts';
import { fieldsOf, type Json } from '../../../spec/json.ts';
import { isText, type SeenCall } from './call.ts';
import { choice, type Finding, finding, not, nothing, other, type Recogniser, rule, taken } from './finding.ts';

/** The replies of social cohesion: values and headers. */

const recordsOf = ({ record }: SeenCall): Json[] => [record].flat().map(fieldsOf);

const alertWords: Readonly<Record<string, string>> = {
  under: choice,
  over: choice,
  warning: 'degrees',
  critical: 'degrees',
  under_performance: 'performance',
  over_performance: 'performance',
};

/** What the words of `alert_state` say, in replies and in webhooks. */
export const alertFindings = (states: readonly unknown[]): Finding[] =>
  [...new Set(states)].flatMap((word) =>
    !isText(word) || word === 'none'
      ? nothing
      : finding('cohesion.alert-states', alertWords[word] ?? other, 'alert_state has words of this choice'),
  );

const indicatorsIn = (call: SeenCall): Json[] => (call.isSuccess && call.isOn(indicators, indicator) ? recordsOf(call) : []);

const rate = rule<Json>(
  'cohesion.attainment-rate',
  ({ valeur_courante: value, cible_annuelle: target, taux_atteinte: shown }) => {
    if (target === 0 && shown === null) return ['null-without-target', 'the rate without a target is null'];
    if (target === 0 && shown === 0) return [not('null-without-target'), 'the rate without a target is 0'];
    if (typeof value !== 'number' || typeof target !== 'number' || typeof shown !== 'number' || target <= 0 || value <= 0)
      return undefined;
    const isNear = (one: number) => Math.abs(shown - one) <= 0.0051;
    if (isNear((value / target) * 100)) return [not('fraction'), 'the rate is a percentage'];
    return isNear(value / target) && ['fraction', 'the rate is a fraction'];
  },
);

const statuses = ['en_cours', 'termine', 'approuve', 'brouillon', 'suspendu'];
/** An intervention with one of these statuses is never validated. */
const neverValidated = ['planifie', 'rejete', 'annule'];

export const cohesionReplies: readonly Recogniser[] = [
  (call) => alertFindings(indicatorsIn(call).map(({ alert_state: state }) => state)),
  (call) => indicatorsIn(call).flatMap((one) => rate(one, [])),
  taken(stats, 'cohesion.stats-fields', ({ record }) =>
    'par_region' in fieldsOf(record)
      ? ['by-region', 'the statistics have regions']
      : [not('by-region'), 'the statistics have no regions'],
  ),
  taken('GET /me', 'cohesion.user-roles', (call) => {
    const { role } = fieldsOf(fieldsOf(call.record).user);
    if (!isText(role)) return undefined;
    return ['admin', 'gestionnaire', 'lecteur'].includes(role)
      ? [not('other-roles'), 'a user has a role of our choice']
      : ['other-roles', 'a user has another role'];
  }),
  // If there is only one further status, it may be the one that a validation starts from. Another entry is about that one.
  taken(interventions, 'cohesion.intervention-statuses', (call) => {
    const all = recordsOf(call).map(({ statut }) => statut);
    const further = new Set(all.filter((one) => isText(one) && !statuses.includes(one)));
    const isFurther = further.size > 1 || neverValidated.some((one) => further.has(one));
    return isFurther && ['further', 'an intervention has a further status'];
  }),
  taken(lists, 'cohesion.list-order', (call) => {
    const ids = recordsOf(call).map(({ id }) => id);
    if (ids.length < 5 || !ids.every((id) => typeof id === 'number')) return undefined;
    const isSorted = (sign: number) => ids.every((id, at) => at === 0 || Math.sign(id - Number(ids[at - 1])) === sign);
    if (isSorted(-1)) return ['newest-first', 'the ids of a list fall'];
    return isSorted(1) ? [not('newest-first'), 'the ids of a list rise'] : [not(choice), 'the ids of a list do not rise'];
  }),
  taken(create, 'cohesion.devise-sent', (call) => {
    const [{ devise: sent }, { devise }] = [call.sent, fieldsOf(call.record)];
    if (!isText(devise)) return undefined;
    if (sent === undefined && devise === 'XOF') return [not('other-default'), 'a financing without devise is in XOF'];
    if (sent === undefined) return ['other-default', 'a financing without devise is in another currency'];
    if (sent !== devise) return ['ignored', 'a devise that is sent is ignored'];
    return [sent === 'XOF' ? not('refused') : not('refused', 'ignored'), 'a devise that is sent is kept'];
  }),
  rule('cohesion.throttle-exceeded', ({ reply: { headers } }) => {
    if ('ratelimit-limit' in headers) return [not('laravel-headers'), 'a reply has RateLimit headers'];
    return 'x-ratelimit-limit' in headers && ['laravel-headers', 'a reply has X-RateLimit headers'];
  }),
];
