/** Orders the steps of a plan so that each finds what it refers to, and each name is free when it is used again. */
import { yieldIfDue } from '../../../lib/async/yield-if-due.ts';
import type { WantedResource } from '../model/kind.ts';
import type { Step } from './step.ts';

/** A step that must precede another. */
interface Predecessor {
  readonly step: Step;
  /** Because it creates what the other refers to. */
  readonly isReferenced: boolean;
}

/**
 * Keeps the given order (kinds in creation order, then deletions) except where a reference or a name requires another
 * one: each step follows its predecessors. Steps that refer to each other stay in order and get the `cycle`.
 */
export async function orderSteps(steps: readonly Step[]): Promise<readonly Step[]> {
  const index = await indexSteps(steps);
  const ordered: Step[] = [];
  const cycles = new Map<Step, readonly string[]>();
  const begun = new Set<Step>();
  const placed = new Set<Step>();
  // Depth first without recursion, because references can be nested deeper than the stack.
  const branch: { readonly predecessor: Predecessor; readonly open: Predecessor[] }[] = [];
  const enter = (predecessor: Predecessor) => {
    begun.add(predecessor.step);
    branch.push({ predecessor, open: listPredecessors(index, predecessor.step).reverse() });
  };
  for (const first of steps) {
    if (!begun.has(first)) enter({ step: first, isReferenced: true });
    for (let last = branch.at(-1); last !== undefined; last = branch.at(-1)) {
      const next = last.open.pop();
      if (next === undefined) {
        placed.add(last.predecessor.step);
        ordered.push(last.predecessor.step);
        branch.pop();
      } else if (!begun.has(next.step)) {
        enter(next);
      } else if (!placed.has(next.step)) {
        const start = branch.findIndex(({ predecessor }) => predecessor.step === next.step);
        const cycle = [...branch.slice(start + 1).map(({ predecessor }) => predecessor), next];
        if (cycle.every(({ isReferenced }) => isReferenced)) {
          const paths = [next, ...cycle].map(({ step }) => step.path);
          for (const { step } of cycle) cycles.set(step, paths);
        }
      }
      const others = yieldIfDue();
      if (others !== undefined) await others;
    }
  }
  return cycles.size === 0 ? ordered : ordered.map((step) => addCycle(step, cycles.get(step)));
}

function addCycle(step: Step, cycle: readonly string[] | undefined): Step {
  if (cycle === undefined) return step;
  const { row, path, address } = step;
  const base = { row, path, address, cycle };
  if (step.action === 'delete') return { ...base, action: 'delete', former: step.former };
  const { wanted } = step;
  const mayContain = (name: string) => step.mayContain(name);
  return step.action === 'create'
    ? { ...base, action: 'create', wanted, mayContain }
    : { ...base, action: 'update', wanted, mayContain, former: step.former, changed: step.changed };
}

interface StepIndex {
  /** The step that creates the resource at a path, itself or with another one. */
  readonly creators: ReadonlyMap<string, Step>;
  /** The step that changes the resource at a path, of a kind that refers to itself. */
  readonly changes: ReadonlyMap<string, Step>;
  /** The deletions at a path and below it. */
  readonly deletions: ReadonlyMap<string, readonly Step[]>;
  /** The steps that delete a reference to a path. */
  readonly releases: ReadonlyMap<string, readonly Step[]>;
  /** The step that gives up a unique name. */
  readonly releasedNames: ReadonlyMap<string, Step>;
}

async function indexSteps(steps: readonly Step[]): Promise<StepIndex> {
  const creators = new Map<string, Step>();
  const changes = new Map<string, Step>();
  const deletions = new Map<string, Step[]>();
  const releases = new Map<string, Step[]>();
  const releasedNames = new Map<string, Step>();
  // Only deletions wait for the steps that delete references.
  const hasDeletions = steps.some(({ action }) => action === 'delete');
  for (const step of steps) {
    const { row } = step;
    if (step.action === 'create') {
      // An implicitly created resource exists as soon as the one that implies it.
      if (!row.isCreatedImplicitly) creators.set(step.path, step);
      for (const path of row.implies?.(step.address) ?? []) creators.set(path, step);
    } else {
      // Fields are parsed for few of a hundred thousand layers that change.
      if (hasDeletions || row.uniqueNames !== undefined) {
        const former: WantedResource = { ...step.address, fields: step.former };
        for (const path of row.references?.(former) ?? []) addTo(releases, path, step);
        const left = new Set(step.action === 'delete' ? [] : row.uniqueNames?.(step.wanted));
        for (const name of row.uniqueNames?.(former) ?? []) if (!left.has(name)) releasedNames.set(name, step);
      }
      if (step.action === 'delete') for (const path of listPathAndParents(step.path)) addTo(deletions, path, step);
      else if (row.refersToOwnKind) changes.set(step.path, step);
    }
    const others = yieldIfDue();
    if (others !== undefined) await others;
  }
  return { creators, changes, deletions, releases, releasedNames };
}

function listPredecessors(index: StepIndex, step: Step): Predecessor[] {
  const { row, path } = step;
  const found: Predecessor[] = [];
  const add = (other: Step | undefined, isReferenced: boolean) => {
    if (other !== undefined && other !== step) found.push({ step: other, isReferenced });
  };
  if (step.action === 'delete') {
    // What is below it, what was created with it, and what refers to it.
    for (const place of [path, ...(row.implies?.(step.address) ?? [])]) {
      for (const other of index.deletions.get(place) ?? []) add(other, false);
    }
    for (const other of index.releases.get(path) ?? []) add(other, false);
    return found;
  }
  if (index.creators.size > 0 || (row.refersToOwnKind && index.changes.size > 0)) {
    for (const target of row.references?.(step.wanted) ?? []) {
      add(index.creators.get(target), true);
      // A group that is moved into another one must first leave the groups that contain that one.
      const change = index.changes.get(target);
      if (change?.row === row) add(change, true);
    }
  }
  if (index.releasedNames.size > 0) {
    for (const name of row.uniqueNames?.(step.wanted) ?? []) add(index.releasedNames.get(name), false);
  }
  return found;
}

function addTo(lists: Map<string, Step[]>, key: string, step: Step): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [step]);
  else list.push(step);
}

/** `/a/b/c` -> `/a`, `/a/b`, `/a/b/c`. */
export function listPathAndParents(path: string): readonly string[] {
  const segments = path.split('/');
  return segments.slice(1).map((_, index) => segments.slice(0, index + 2).join('/'));
}
