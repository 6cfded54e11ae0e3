/** Runs the steps of a plan through REST requests and collects all complaints. */
import type { BatchContext } from '../../../http/routes/route.ts';
import { yieldIfDue } from '../../../lib/async/yield-if-due.ts';
import type { ConfigurationError } from '../../../lib/problems/kinds/kind.ts';
import { Problem } from '../../../lib/problems/problem.ts';
import type { Fields } from '../model/fields.ts';
import { isObject } from '../model/fields.ts';
import { checkFiles } from '../model/files.ts';
import type { Operation, StepContext } from '../model/kind.ts';
import { createNotSecretComplaint, hasKeptSecret, isKeptSecret } from '../model/operations.ts';
import { findFieldPointer } from './field-pointer.ts';
import type { Plan, Step } from './plan.ts';

/** A step in progress; completed parts are not repeated. */
interface PendingStep {
  readonly step: Step;
  operations: readonly Operation[] | undefined;
  done: number;
  problem: Problem | undefined;
}

export interface ApplyContext extends StepContext {
  readonly batchContext: Pick<BatchContext, 'perform'>;
}

/**
 * Runs all possible steps and returns the complaints about the others. A step that refers to a resource created later
 * is retried after that. The `later` steps are only tried after a failure, for their complaints.
 */
export async function applySteps(
  applying: ApplyContext,
  steps: Plan['steps'],
  later: Plan['steps'] = [],
): Promise<readonly ConfigurationError[]> {
  const { complaints, hopeless, open } = await prepareSteps(applying, steps);
  const failed = await executeSteps(applying, open);
  if (complaints.length + failed.length > 0 && later.length > 0) {
    const others = await prepareSteps(applying, later);
    complaints.push(...others.complaints);
    hopeless.push(...others.hopeless);
    failed.push(...(await executeSteps(applying, others.open)));
  }
  const causes = omitConsequences([...hopeless, ...failed]);
  return [...complaints, ...causes.flatMap(({ step, problem }) => (problem ? toComplaints(step, problem) : []))];
}

/** Steps that can be tried, and those known to be impossible. */
async function prepareSteps(applying: ApplyContext, steps: Plan['steps']) {
  const complaints: ConfigurationError[] = [];
  const hopeless: PendingStep[] = [];
  const open: PendingStep[] = [];
  for (const step of steps) {
    const before = await checkStep(applying, step);
    complaints.push(...before);
    (before.length > 0 ? hopeless : open).push({ step, operations: undefined, done: 0, problem: undefined });
    const others = yieldIfDue();
    if (others !== undefined) await others;
  }
  return { complaints, hopeless, open };
}

/** Returns the steps that still failed after all retries. */
async function executeSteps(applying: ApplyContext, steps: readonly PendingStep[]): Promise<PendingStep[]> {
  for (let open = steps; ; ) {
    const failed: PendingStep[] = [];
    for (const each of open) {
      if (!(await executeStep(applying, each))) {
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
async function executeStep(applying: ApplyContext, open: PendingStep): Promise<boolean> {
  open.problem = undefined;
  try {
    open.operations ??= await getOperations(open.step);
    for (const operation of open.operations.slice(open.done)) {
      await executeOperation(applying, operation);
      open.done += 1;
    }
    return true;
  } catch (error) {
    // Failures that are not caused by the document end the whole operation.
    if (!(error instanceof Problem) || error.status >= 500) {
      throw error;
    }
    open.problem = error;
    return false;
  }
}

function getOperations(step: Step) {
  switch (step.action) {
    case 'create':
      return step.row.create(step.wanted);
    case 'update':
      return step.row.change(step.wanted, { fields: step.former, changed: step.changed });
    case 'delete':
      return step.row.remove(step, step.former);
  }
}

async function executeOperation(applying: ApplyContext, operation: Operation): Promise<void> {
  if ('run' in operation) {
    await operation.run(applying);
    return;
  }
  const { body: document, ...request } = operation;
  await applying.batchContext.perform(document === undefined ? request : { ...request, document });
}

/** Checks that need no request: unknown secrets and missing files. */
async function checkStep(applying: ApplyContext, step: Step): Promise<readonly ConfigurationError[]> {
  if (step.action === 'delete') {
    return [];
  }
  return [...(hasKeptSecret(step.wanted.fields) ? checkSecrets(step) : []), ...(await checkFiles(applying, step))];
}

function checkSecrets(step: Extract<Step, { wanted: unknown }>): readonly ConfigurationError[] {
  const { path, wanted, row } = step;
  return step.action === 'create'
    ? checkNewSecrets(path, wanted.fields, (name) => row.secrets?.includes(name) === true)
    : checkUpdatedSecrets(path, wanted.fields, step.former);
}

/** Map entries that should keep a secret but have none. */
function checkUpdatedSecrets(path: string, fields: Fields, former: Fields): readonly ConfigurationError[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    const was = former[name];
    return isObject(value) && isObject(was)
      ? Object.keys(value)
          .filter((entry) => isKeptSecret(value[entry]) && !isKeptSecret(was[entry]))
          .map((entry) => createNotSecretComplaint(path, `/${name}/${entry}`))
      : [];
  });
}

/** Any map entry can be a secret; secret fields are known and were checked before. */
function checkNewSecrets(
  path: string,
  fields: Fields,
  isSecret: (name: string) => boolean,
  above = '',
): readonly ConfigurationError[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    const field = `${above}/${name}`;
    if (isKeptSecret(value)) {
      const message = 'is new, so no secret exists to keep. Set its value';
      return isSecret(name) ? [{ path, field, code: 'secret-needed', message }] : [];
    }
    return isObject(value) && above === '' ? checkNewSecrets(path, value, () => true, field) : [];
  });
}

/** Children of a resource that was not created are not reported separately. */
function omitConsequences(failed: readonly PendingStep[]): readonly PendingStep[] {
  const notMade = failed.filter(({ step }) => step.action === 'create').map(({ step }) => step.path);
  const causes = new Set(notMade);
  const withoutLayer = new Set(notMade.flatMap((path) => findLayerPath(path) ?? []));
  return failed.filter(
    ({ step: { path } }) => !withoutLayer.has(path) && !listParentPaths(path).some((place) => causes.has(place)),
  );
}

/** A layer is created with its resource and has the same name. */
function findLayerPath(path: string): string | undefined {
  const [, workspace, , , , name] = path.split('/').slice(1);
  return name === undefined ? undefined : `/workspaces/${workspace}/layers/${name}`;
}

function listParentPaths(path: string): readonly string[] {
  const segments = path.split('/');
  return segments.slice(1, -1).map((_, index) => segments.slice(0, index + 2).join('/'));
}

function toComplaints({ path, row }: Step, { code, message, details }: Problem): readonly ConfigurationError[] {
  const { complaints = [{ field: details.field, message }] } = details;
  return complaints.map((each) => {
    const field = each.field === undefined ? undefined : findFieldPointer(row, each.field);
    return { path, ...(field === undefined ? {} : { field }), code, message: each.message };
  });
}
