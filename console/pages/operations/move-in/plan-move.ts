/** Plans a translated configuration. What the server rejects is left out and reported, until it accepts the rest. */
import { callRest, withQuery } from '../../../rest/client.ts';
import { RestProblem } from '../../../rest/problems.ts';
import type { Candidate, Plan } from '../configuration/types.ts';
import type { ConfigurationDocument, ConfigurationResource, Rejection } from './types.ts';

/** Each attempt leaves out what the server has rejected before. */
const MAX_ATTEMPTS = 20;

/** A resource without these fields would mean something else. */
const essentialFields: ReadonlySet<string> = new Set([
  ...['name', 'regex', 'connectionParameters', 'url', 'type', 'capabilitiesURL', 'nativeName', 'content'],
  ...['contentBase64', 'publishables', 'className', 'password', 'rules', 'order', 'cqlFilter'],
]);

export interface PlannedMove {
  readonly candidate: Candidate;
  readonly plan: Plan;
  readonly rejections: readonly Rejection[];
}

export async function planMove(
  name: string,
  configuration: ConfigurationDocument,
  onAttempt: (attempt: number) => void,
): Promise<PlannedMove> {
  const rejections: Rejection[] = [];
  let document = configuration;
  for (let attempt = 1; ; attempt += 1) {
    onAttempt(attempt);
    const candidate: Candidate = {
      name,
      body: new Blob([JSON.stringify(document)]),
      isArchive: false,
      mode: 'merge',
      acceptsUnverified: true,
      passphrase: '',
    };
    try {
      return { candidate, plan: await tryPlan(candidate.body), rejections };
    } catch (error) {
      const found = readRejections(error);
      if (found.length === 0 || attempt === MAX_ATTEMPTS) throw error;
      rejections.push(...found);
      document = { ...document, resources: leaveOut(document.resources, found) };
    }
  }
}

/** Some errors are found only when the steps are run. */
async function tryPlan(body: Blob): Promise<Plan> {
  const send = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    callRest<Plan>(path, { method: 'POST', body, contentType: 'application/json', headers });
  const { body: plan } = await send(withQuery('/configuration/diff', { unverified: 'accept' }));
  const path = withQuery('/configuration/apply', { unverified: 'accept', dryRun: true });
  const tried = await send(path, { 'if-match': `"${plan.hash}"` });
  return { ...plan, unverified: tried.body.unverified ?? [] };
}

function readRejections(error: unknown): readonly Rejection[] {
  if (!(error instanceof RestProblem) || error.code !== 'configuration-invalid') return [];
  const errors = (error.document.errors ?? []) as readonly Readonly<Record<string, unknown>>[];
  return errors.flatMap(({ path, field, message }) => {
    if (typeof path !== 'string') return [];
    const name = typeof field === 'string' ? field.split('/')[1] : undefined;
    const isEssential = name === undefined || essentialFields.has(name);
    return [{ path, field: isEssential ? undefined : name, message: String(message) }];
  });
}

/** A field that is rejected again although it was left out makes its resource fall away. */
export function leaveOut(
  resources: readonly ConfigurationResource[],
  rejections: readonly Rejection[],
): readonly ConfigurationResource[] {
  const byPath = Map.groupBy(rejections, ({ path }) => path);
  return resources.flatMap((resource) => {
    const found = byPath.get(resource.path) ?? [];
    if (found.length === 0) return [resource];
    const names = found.map(({ field }) => field);
    if (names.some((name) => name === undefined || !(name in resource.fields))) return [];
    const fields = Object.fromEntries(Object.entries(resource.fields).filter(([name]) => !names.includes(name)));
    return [{ ...resource, fields }];
  });
}
