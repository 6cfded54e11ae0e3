/** Runs the steps of a plan as commands and collects all complaints. */
import { isDataFailure } from '../../../catalog/kinds/unverified.ts';
import type { BatchContext } from '../../../http/routes/route.ts';
import { yieldIfDue } from '../../../lib/async/yield-if-due.ts';
import type { ConfigurationError } from '../../../lib/problems/kinds/kind.ts';
import { Problem } from '../../../lib/problems/problem.ts';
import { filterCooperatively } from '../document/cooperative-lists.ts';
import { type Fields, isObject, KEPT_SECRET } from '../model/fields.ts';
import { checkFiles } from '../model/files.ts';
import type { ConfigurationKind, Operation, StepContext } from '../model/kind.ts';
import { createNotSecretComplaint, hasKeptSecret, isKeptSecret } from '../model/operations.ts';
import type { DataFailures } from './data-failures.ts';
import { escapePointerPart } from './field-changes.ts';
import { listPathAndParents } from './order-steps.ts';
import type { Plan } from './plan.ts';
import type { Step } from './step.ts';

/** A step that was not done; without a problem if it was not tried. */
interface FailedStep {
  readonly step: Step;
  readonly problem?: Problem;
}

export interface ApplyContext extends StepContext {
  readonly batchContext: Pick<BatchContext, 'run' | 'readPrincipal'>;
  readonly dataFailures: DataFailures;
}

/**
 * Runs each step once, in order, and returns the complaints about those that failed. The `later` steps are only tried
 * after a failure, for their complaints.
 */
export async function applySteps(
  applying: ApplyContext,
  steps: Plan['steps'],
  later: Plan['steps'] = [],
): Promise<readonly ConfigurationError[]> {
  const complaints: ConfigurationError[] = [];
  const failed: FailedStep[] = [];
  await trySteps(applying, steps, complaints, failed);
  if (failed.length > 0 && !failed.some(isInterruption)) {
    await trySteps(applying, later, complaints, failed);
  }
  for (const { step, problem } of await omitConsequences(failed)) {
    if (problem !== undefined) complaints.push(...toComplaints(step, problem));
    const others = yieldIfDue();
    if (others !== undefined) await others;
  }
  return complaints;
}

/**
 * Checks all steps first, so that those without a chance are not tried. A failure of the server ends the steps; it is
 * thrown unless errors of the document were found before, which are then reported with it.
 */
async function trySteps(
  applying: ApplyContext,
  steps: Plan['steps'],
  complaints: ConfigurationError[],
  failed: FailedStep[],
): Promise<void> {
  const open: Step[] = [];
  for (const step of steps) {
    const before = await checkStep(applying, step);
    if (before.length > 0) {
      complaints.push(...before);
      failed.push({ step });
    } else {
      open.push(step);
    }
    const others = yieldIfDue();
    if (others !== undefined) await others;
  }
  for (const step of open) {
    const problem = await tryStep(applying, step);
    if (problem !== undefined) {
      const isLast = isInterruption({ problem });
      if (isLast && failed.length === 0) throw problem;
      failed.push({ step, problem });
      if (isLast) return;
    }
    const others = yieldIfDue();
    if (others !== undefined) await others;
  }
}

/** A failure of the server, such as too much other work. Unavailable data is an error of its resource instead. */
function isInterruption({ problem }: Pick<FailedStep, 'problem'>): boolean {
  return problem !== undefined && problem.status >= 500 && !isDataFailure(problem);
}

/** Returns the problem of the step, if it has one. */
async function tryStep(applying: ApplyContext, step: Step): Promise<Problem | undefined> {
  const known = applying.dataFailures.findRejection(step);
  if (known !== undefined) return known;
  try {
    for (const operation of await getOperations(step)) {
      await executeOperation(applying, step, operation);
    }
    return undefined;
  } catch (error) {
    if (!(error instanceof Problem)) {
      throw error;
    }
    applying.dataFailures.note(step, error);
    return error;
  }
}

function getOperations(step: Step) {
  switch (step.action) {
    case 'create':
      return step.row.create(step.wanted);
    case 'update':
      return step.row.change(step.wanted, { fields: step.former, changed: step.changed });
    case 'delete':
      return step.row.remove(step.address, step.former);
  }
}

function executeOperation(applying: ApplyContext, step: Step, operation: Operation): Promise<void> {
  return 'run' in operation
    ? operation.run(applying)
    : applying.batchContext.run(operation, applying.dataFailures.createPolicy(step));
}

/** Checks that need no command: unknown secrets and missing files. */
async function checkStep(applying: ApplyContext, step: Step): Promise<readonly ConfigurationError[]> {
  if (step.action === 'delete') {
    return [];
  }
  const hasSecrets = step.mayContain(SECRET_MEMBER) && hasKeptSecret(step.wanted.fields);
  const complaints = hasSecrets ? checkSecrets(step, step.wanted.fields) : [];
  if (!step.mayContain('files')) return complaints;
  const { path } = step;
  return [
    ...complaints,
    ...(await checkFiles(applying, step.action === 'create' ? { path, wanted: step.wanted } : step)),
  ];
}

const [SECRET_MEMBER = ''] = Object.keys(KEPT_SECRET);

function checkSecrets(step: Exclude<Step, { action: 'delete' }>, fields: Fields): readonly ConfigurationError[] {
  const { path, row } = step;
  return step.action === 'create'
    ? checkNewSecrets(path, fields, (name) => row.secrets?.includes(name) === true)
    : checkUpdatedSecrets(path, fields, step.former);
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

/** Resources below or implied by one that was not created are not reported separately. */
async function omitConsequences(failed: readonly FailedStep[]): Promise<readonly FailedStep[]> {
  const parents = new Set<string>();
  const implied = new Set<string>();
  for (const { step } of failed) {
    if (step.action !== 'create') continue;
    parents.add(step.path);
    for (const path of step.row.implies?.(step.address) ?? []) implied.add(path);
    const others = yieldIfDue();
    if (others !== undefined) await others;
  }
  return filterCooperatively(
    failed,
    ({ step: { path } }) =>
      !implied.has(path) && !listPathAndParents(path).some((place) => place !== path && parents.has(place)),
  );
}

function toComplaints({ path, row, cycle }: Step, { code, message, details }: Problem): readonly ConfigurationError[] {
  const { complaints = [{ field: details.field, message }] } = details;
  const remark = cycle === undefined ? '' : ` These resources refer to each other: ${cycle.join(', ')}.`;
  return complaints.map((each) => {
    const field = each.field === undefined ? undefined : findFieldPointer(row, each.field);
    return { path, ...(field === undefined ? {} : { field }), code, message: `${each.message}${remark}` };
  });
}

/**
 * `dataStore.connectionParameters.url` -> `/connectionParameters/url`. Undefined where it is not a field: the path
 * contains the name of the resource.
 */
function findFieldPointer(
  { fieldNames, restNames = {} }: Pick<ConfigurationKind, 'fieldNames' | 'restNames'>,
  spoken: string,
): string | undefined {
  const parts = spoken.split('.');
  // Some REST documents have no root.
  const [first = '', ...inside] = fieldNames.includes(parts[0] ?? '') ? parts : parts.slice(1);
  const name = restNames[first] ?? first;
  return fieldNames.includes(name)
    ? [name, ...inside].map((part) => `/${escapePointerPart(part)}`).join('')
    : undefined;
}
