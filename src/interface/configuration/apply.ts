/** Does the steps of a plan by the requests that REST has for them, and gathers every complaint. */
import type { Together } from '../../http/route.ts';
import { Problem } from '../../lib/problem.ts';
import type { ConfigurationComplaint } from '../../lib/problem-kinds/kind.ts';
import type { Fields } from './fields.ts';
import { isObject } from './fields.ts';
import { missingFiles } from './files.ts';
import type { Operation, StepContext } from './kind.ts';
import { isKept } from './operations.ts';
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
 * tried again once that is there.
 */
export async function applySteps(applying: Applying, steps: Plan['steps']): Promise<readonly ConfigurationComplaint[]> {
  const complaints: ConfigurationComplaint[] = [];
  const hopeless: OpenStep[] = [];
  let open: OpenStep[] = [];
  for (const step of steps) {
    const before = await complaintsBefore(applying, step);
    complaints.push(...before);
    const opened: OpenStep = { step, operations: undefined, done: 0, problem: undefined };
    if (before.length > 0) {
      hopeless.push(opened);
    } else {
      open.push(opened);
    }
  }
  for (;;) {
    const failed: OpenStep[] = [];
    for (const each of open) {
      if (!(await carriedOn(applying, each))) {
        failed.push(each);
      }
    }
    if (failed.length === 0 || failed.length === open.length) {
      const causes = withoutConsequences([...hopeless, ...failed]);
      return [...complaints, ...causes.flatMap(({ step, problem }) => (problem ? complaintsOf(step, problem) : []))];
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
  const { method, path, body, content, contentType } = operation;
  const sent =
    body === undefined
      ? { ...(content === undefined ? {} : { content }), ...(contentType === undefined ? {} : { contentType }) }
      : { content: JSON.stringify(body), contentType: 'application/json' };
  await applying.together.perform({ method, path, ...sent });
}

/** What needs no trying: secrets that nobody knows, and files that nobody has. */
async function complaintsBefore(applying: Applying, step: Step): Promise<readonly ConfigurationComplaint[]> {
  if (step.action === 'delete') {
    return [];
  }
  const secrets = step.action === 'create' ? secretsNeeded(step.path, step.wanted.fields) : [];
  return [...secrets, ...(await missingFiles(applying, step))];
}

function secretsNeeded(path: string, fields: Fields, above = ''): readonly ConfigurationComplaint[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    const field = `${above}/${name}`;
    if (isKept(value)) {
      return [
        { path, field, code: 'secret-needed', message: 'is new here, so that there is no secret to keep; give it' },
      ];
    }
    return isObject(value) && above === '' ? secretsNeeded(path, value, field) : [];
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

function complaintsOf({ path }: Step, { code, message, details }: Problem): readonly ConfigurationComplaint[] {
  const { complaints, field } = details;
  if (complaints !== undefined) {
    return complaints.map((each) => ({ path, field: pointerTo(each.field), code, message: each.message }));
  }
  return [{ path, ...(field === undefined ? {} : { field: pointerTo(field) }), code, message }];
}

/** `dataStore.connectionParameters.url` -> `/connectionParameters/url` */
function pointerTo(field: string): string {
  const [, ...inside] = field.split('.');
  return `/${inside.join('/')}`;
}
