/** Matches file names with expressions that can take exponential time, in a thread that ends at the deadline. */
import { basename, extname } from 'node:path';
import { Problem } from '../../lib/problems/problem.ts';
import type { WorkerPool } from '../../workers/pool.ts';
import type { Task } from '../../workers/task.ts';
import type { MosaicDefinition, RegexRule } from './definition.ts';
import { compileFileNamePattern, hasLookAround } from './file-name-pattern.ts';

/** The values in file names, by rule and name. Rules that were too slow are missing. */
export type MatchedNames = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;

export interface NameMatcher {
  match(names: readonly string[], signal: AbortSignal): Promise<MatchedNames>;
}

interface MatchRequest {
  readonly rules: readonly RegexRule[];
  readonly names: readonly string[];
}

/** Common expressions match a hundred names in a millisecond; a busy machine loads the modules in a second. */
const MAX_MATCHING_MS = 3_000;

export const matchNamesTask: Task<MatchRequest, MatchedNames> = {
  module: import.meta.url,
  name: 'matchNames',
  work: matchNames,
};

export function matchNames({ rules, names }: MatchRequest): MatchedNames {
  return new Map(
    rules.map((rule) => {
      const pattern = compileFileNamePattern(rule.regex, { what: 'The regular expression', field: 'regex' });
      return [formatRuleKey(rule), new Map(names.map((name) => [name, pattern.find(toMatchedText(rule, name))]))];
    }),
  );
}

/** For one harvest: after the first timeout, no other name is tried. */
export function createNameMatcher(definition: MosaicDefinition, pool: WorkerPool): NameMatcher {
  const rules = [...definition.collectors, definition.nameCollector].filter(
    (each): each is RegexRule & typeof each => each !== undefined && 'regex' in each && hasLookAround(each.regex),
  );
  const request = rules.map(({ regex, usesFullPath }) => ({ regex, usesFullPath }));
  let isTooSlow = false;
  return {
    async match(names, signal) {
      if (request.length === 0 || isTooSlow) return new Map();
      const limits = { deadlineMs: null, maxComputingMs: MAX_MATCHING_MS };
      try {
        return await pool.run(matchNamesTask, { rules: request, names }, { signal, ...limits });
      } catch (error) {
        if (!(error instanceof Problem) || error.code !== 'work-too-slow') throw error;
        isTooSlow = true;
        return new Map();
      }
    },
  };
}

export function formatRuleKey({ regex, usesFullPath }: RegexRule): string {
  return JSON.stringify([regex, usesFullPath]);
}

export function toMatchedText({ usesFullPath }: RegexRule, name: string): string {
  return usesFullPath ? name : basename(name, extname(name));
}
