/** Does the steps of a plan by the requests that REST has for them, and gathers every complaint. */
import type { Together } from '../../http/route.ts';
import { turn } from '../../lib/pace.ts';
import { Problem } from '../../lib/problem.ts';
import type { ConfigurationComplaint } from '../../lib/problem-kinds/kind.ts';
import { complaintField } from './complaint-field.ts';
import type { Fields } from './fields.ts';
import { isObject } from './fields.ts';
import { missingFiles } from './files.ts';
import type { Operation, StepContext } from './kind.ts';
import { hasKept, isKept, noSecret } from './operations.ts';
import type { Plan, Step } from './plan.ts';

/** A step on its way: what was done of it is not done again. */
interface OpenStep {
  readonly step: Step;
  operations: readonly Operation[] | undefined;
  done: number;
  problem: Problem | undefined;
}

export interface Applying extends StepContext {
  readonly together: Pick<Together, 'perform'>;
}

/**
 * Does all steps that can be done, and gives the complaints about the others. What refers to something that comes later is
 * tried again once that is there. The `later` ones are only tried where something has failed, for their complaints.
 */
export async function applySteps(
  applying: Applying,
  steps: Plan['steps'],
  later: Plan['steps'] = [],
): Promise<readonly ConfigurationComplaint[]> {
  const { complaints, hopeless, open } = await opened(applying, steps);
  const failed = await carryOutAll(applying, open);
  if (complaints.length + failed.length > 0 && later.length > 0) {
    const others = await opened(applying, later);
    complaints.push(...others.complaints);
    hopeless.push(...others.hopeless);
    failed.push(...(await carryOutAll(applying, others.open)));
  }
  const causes = withoutConsequences([...hopeless, ...failed]);
  return [...complaints, ...causes.flatMap(({ step, problem }) => (problem ? complaintsOf(step, problem) : []))];
}

/** Steps that can be tried, and those of which it is known before that they cannot be done. */
async function opened(applying: Applying, steps: Plan['steps']) {
  const complaints: ConfigurationComplaint[] = [];
  const hopeless: OpenStep[] = [];
  const open: OpenStep[] = [];
  for (const step of steps) {
    const before = await complaintsBefore(applying, step);
    complaints.push(...before);
    (before.length > 0 ? hopeless : open).push({ step, operations: undefined, done: 0, problem: undefined });
    const others = turn();
    if (others !== undefined) await others;
  }
  return { complaints, hopeless, open };
}

/** Gives those that could not be done, however often they were tried. */
async function carryOutAll(applying: Applying, steps: readonly OpenStep[]): Promise<OpenStep[]> {
  for (let open = steps; ; ) {
    const failed: OpenStep[] = [];
    for (const each of open) {
      if (!(await carriedOn(applying, each))) {
        failed.push(each);
      }
    }
    if (failed.length === 0 || failed.length === open.length) {
      return failed;
    }
    open = failed;
  }
}

/** Whether the whole step is done. */
async function carriedOn(applying: Applying, open: OpenStep): Promise<boolean> {
  open.problem = undefined;
  try {
    open.operations ??= await operationsOf(open.step);
    for (const operation of open.operations.slice(open.done)) {
      await doOperation(applying, operation);
      open.done += 1;
    }
    return true;
  } catch (error) {
    // What is no fault of the document ends all of it.
    if (!(error instanceof Problem) || error.status >= 500) {
      throw error;
    }
    open.problem = error;
    return false;
  }
}

function operationsOf(step: Step) {
  switch (step.action) {
    case 'create':
      return step.row.create(step.wanted);
    case 'update':
      return step.row.change(step.wanted, { fields: step.former, changed: step.changed });
    case 'delete':
      return step.row.remove(step, step.former);
  }
}

async function doOperation(applying: Applying, operation: Operation): Promise<void> {
  if ('run' in operation) {
    await operation.run(applying);
    return;
  }
  const { body: document, ...request } = operation;
  await applying.together.perform(document === undefined ? request : { ...request, document });
}

/** What needs no trying: secrets that nobody knows, and files that nobody has. */
async function complaintsBefore(applying: Applying, step: Step): Promise<readonly ConfigurationComplaint[]> {
  if (step.action === 'delete') {
    return [];
  }
  return [...(hasKept(step.wanted.fields) ? secretComplaints(step) : []), ...(await missingFiles(applying, step))];
}

function secretComplaints(step: Extract<Step, { wanted: unknown }>): readonly ConfigurationComplaint[] {
  const { path, wanted, row } = step;
  return step.action === 'create'
    ? secretsNeeded(path, wanted.fields, (name) => row.secrets?.includes(name) === true)
    : secretsMissed(path, wanted.fields, step.former);
}

/** Entries of maps that are to keep a secret, and are none. */
function secretsMissed(path: string, fields: Fields, former: Fields): readonly ConfigurationComplaint[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    const was = former[name];
    return isObject(value) && isObject(was)
      ? Object.keys(value)
          .filter((entry) => isKept(value[entry]) && !isKept(was[entry]))
          .map((entry) => noSecret(path, `/${name}/${entry}`))
      : [];
  });
}

/** Any entry of a map may be a secret; of fields it is known, and was said of others before. */
function secretsNeeded(
  path: string,
  fields: Fields,
  isSecret: (name: string) => boolean,
  above = '',
): readonly ConfigurationComplaint[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    const field = `${above}/${name}`;
    if (isKept(value)) {
      const message = 'is new here, so that there is no secret to keep; give it';
      return isSecret(name) ? [{ path, field, code: 'secret-needed', message }] : [];
    }
    return isObject(value) && above === '' ? secretsNeeded(path, value, () => true, field) : [];
  });
}

/** What lives in something that could not be made cannot be made either: that goes without saying. */
function withoutConsequences(failed: readonly OpenStep[]): readonly OpenStep[] {
  const notMade = failed.filter(({ step }) => step.action === 'create').map(({ step }) => step.path);
  const causes = new Set(notMade);
  const withoutLayer = new Set(notMade.flatMap((path) => layerOf(path) ?? []));
  return failed.filter(
    ({ step: { path } }) => !withoutLayer.has(path) && !placesAbove(path).some((place) => causes.has(place)),
  );
}

/** A layer comes with what it shows, and has its name. */
function layerOf(path: string): string | undefined {
  const [, workspace, , , , name] = path.split('/').slice(1);
  return name === undefined ? undefined : `/workspaces/${workspace}/layers/${name}`;
}

function placesAbove(path: string): readonly string[] {
  const segments = path.split('/');
  return segments.slice(1, -1).map((_, index) => segments.slice(0, index + 2).join('/'));
}

function complaintsOf({ path, row }: Step, { code, message, details }: Problem): readonly ConfigurationComplaint[] {
  const { complaints = [{ field: details.field, message }] } = details;
  return complaints.map((each) => {
    const field = each.field === undefined ? undefined : complaintField(row, each.field);
    return { path, ...(field === undefined ? {} : { field }), code, message: each.message };
  });
}
