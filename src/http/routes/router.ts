/** Matches the route of a path: decodes segments once, ignores empty segments and removes the extension of a format. */
import { Problem, problem } from '../../lib/problems/problem.ts';
import type { Format } from '../serialization/format.ts';
import type { ExplainProblem } from '../session/service-reply.ts';
import { type ErrorStyle, findAccepted, type Route } from './route.ts';

/** All operations of one path. */
export interface PathRoutes<S> {
  readonly pattern: string;
  readonly methods: ReadonlyMap<string, Route<S>>;
  readonly formats: readonly Format[];
  /** Valid extensions of the path: formats of documents, and renditions. */
  readonly extensions: ReadonlySet<string>;
  readonly errors: PathErrors;
  /** For the Allow header. */
  readonly allowed: readonly string[];
}

/** How the errors of a path are formatted: as documents, or as the standard of a service defines them. */
export type PathErrors =
  | { readonly style: ErrorStyle }
  | { readonly style: 'service'; readonly explain: ExplainProblem };

export interface Match<S> {
  readonly resource: PathRoutes<S>;
  readonly params: Readonly<Record<string, string>>;
  readonly extension?: string;
  /** The path variables if the last segment, including its extension, is a name. */
  readonly wholeName?: Readonly<Record<string, string>>;
}

interface TreeNode<S> {
  readonly literals: Map<string, TreeNode<S>>;
  variable?: { readonly name: string; readonly node: TreeNode<S> };
  /** `/:one.:two`: two variables in one segment, separated by a dot. */
  pair?: { readonly names: readonly [string, string]; readonly resource: PathRoutes<S> };
  /** `/*name`: matches the rest of a path including slashes, if nothing else matches. */
  rest?: { readonly name: string; readonly resource: PathRoutes<S> };
  resource?: PathRoutes<S>;
}

export interface Router<S> {
  /** Returns undefined for an unknown path; throws a Problem if the path is invalid text. */
  match(rawPath: string): Match<S> | undefined;
  /** Returns the operations of a pattern, for callers that have the values of its variables. */
  find(pattern: string): PathRoutes<S> | undefined;
  readonly resources: readonly PathRoutes<S>[];
}

/** `secondPaths` maps further patterns to patterns of the routes. Requests at both are requests of the same resource. */
export function buildRouter<S>(
  routes: readonly Route<S>[],
  secondPaths: ReadonlyMap<string, string> = new Map(),
): Router<S> {
  const root: TreeNode<S> = { literals: new Map() };
  const byPattern = Map.groupBy(routes, (route) => route.path);
  const resources = [...byPattern].map(([pattern, rows]) => createPathRoutes(pattern, rows));
  for (const resource of resources) {
    addPathRoutes(root, resource.pattern, resource);
  }
  const known = new Map(resources.map((resource) => [resource.pattern, resource]));
  for (const [pattern, meant] of secondPaths) {
    const resource = known.get(meant);
    if (resource === undefined) throw new Error(`The second path '${pattern}' has no routes`);
    addPathRoutes(root, pattern, resource);
  }
  return {
    resources,
    find: (pattern) => known.get(pattern),
    match: cacheMatches((rawPath) => matchPath(root, rawPath)),
  };
}

/** Returns the problem of an invalid path instead of throwing it, because only authorized callers may see it. */
export function matchOrProblem<S>(router: Router<S>, rawPath: string): Match<S> | Problem | undefined {
  try {
    return router.match(rawPath);
  } catch (error) {
    if (error instanceof Problem) {
      return error;
    }
    throw error;
  }
}

/** Returns whether a path is a root such as `/geoserver/rest` or below it, with any extension or other ending. */
export function isBelow(rawPath: string, root: string): boolean {
  const segments = rawPath.split('/').filter((segment) => segment !== '');
  const expected = root.split('/').filter((segment) => segment !== '');
  return expected.every((name, index) => isSegment(segments[index], name));
}

function isSegment(raw: string | undefined, name: string): boolean {
  try {
    const decoded = raw === undefined ? '' : decodeSegment(raw);
    return decoded.startsWith(name) && !/^[\w-]/.test(decoded.slice(name.length));
  } catch {
    return false;
  }
}

/** The number of cached paths; a full cache is cleared. */
const MAX_CACHED_PATHS = 1_000;

/** Longer paths are not cached. */
const MAX_CACHED_PATH_LENGTH = 200;

/** Caches matches: clients request the same paths repeatedly, and the tree never changes. */
function cacheMatches<S>(match: Router<S>['match']): Router<S>['match'] {
  const cache = new Map<string, Match<S>>();
  return (rawPath) => {
    const cached = cache.get(rawPath);
    if (cached !== undefined) {
      return cached;
    }
    const found = match(rawPath);
    if (found !== undefined && rawPath.length <= MAX_CACHED_PATH_LENGTH) {
      if (cache.size >= MAX_CACHED_PATHS) {
        cache.clear();
      }
      cache.set(rawPath, freezeMatch(found));
    }
    return found;
  };
}

/** Freezes a match, because many requests share it. */
function freezeMatch<S>(match: Match<S>): Match<S> {
  Object.freeze(match.params);
  Object.freeze(match.wholeName);
  return Object.freeze(match);
}

function createPathRoutes<S>(pattern: string, rows: readonly Route<S>[]): PathRoutes<S> {
  const methods = new Map<string, Route<S>>();
  for (const route of rows) {
    if (methods.has(route.method)) {
      throw new Error(`Duplicate route ${route.method} ${pattern}`);
    }
    methods.set(route.method, route);
  }
  const [first] = rows;
  const allowed = [...methods.keys(), ...(methods.has('GET') ? ['HEAD'] : []), 'OPTIONS'].sort();
  return {
    pattern,
    methods,
    formats: [...new Set(rows.flatMap((route) => (route.kind === 'service' ? [] : route.formats)))],
    extensions: new Set(rows.flatMap(listExtensions)),
    errors: first === undefined ? { style: 'negotiated' } : findPathErrors(first),
    allowed,
  };
}

function findPathErrors<S>(route: Route<S>): PathErrors {
  return route.kind === 'service' ? { style: 'service', explain: route.explain } : { style: route.errorStyle };
}

function addPathRoutes<S>(root: TreeNode<S>, pattern: string, resource: PathRoutes<S>): void {
  let node = root;
  for (const segment of pattern.split('/').filter((each) => each !== '')) {
    if (segment.startsWith('*')) {
      node.rest = { name: segment.slice(1), resource };
      return;
    }
    const [, one, two] = /^:(\w+)\.:(\w+)$/.exec(segment) ?? [];
    if (one !== undefined && two !== undefined) {
      node.pair = { names: [one, two], resource };
      return;
    }
    if (segment.startsWith(':')) {
      const name = segment.slice(1);
      node.variable ??= { name, node: { literals: new Map() } };
      if (node.variable.name !== name) {
        throw new Error(`'${pattern}' must name the variable ':${node.variable.name}'`);
      }
      node = node.variable.node;
    } else {
      let child = node.literals.get(segment);
      if (child === undefined) {
        child = { literals: new Map() };
        node.literals.set(segment, child);
      }
      node = child;
    }
  }
  node.resource = resource;
}

function matchPath<S>(root: TreeNode<S>, rawPath: string): Match<S> | undefined {
  const segments = rawPath.split('/').filter((segment) => segment !== '');
  const last = segments.at(-1);
  // Some clients put a slash before the extension: `/granules/7/.json`.
  if (last?.startsWith('.') && segments.length > 1) {
    const extension = last.slice(1).toLowerCase();
    const match = matchSegments(root, { segments: segments.slice(0, -1), ending: 'whole names' }, 0, []);
    if (match?.resource.extensions.has(extension)) {
      return { ...match, extension };
    }
  }
  return matchSegments(root, { segments, ending: 'extensions' }, 0, []);
}

/** The undecoded segments of a path, and whether the last one can end with an extension. */
interface SplitPath {
  readonly segments: readonly string[];
  readonly ending: 'extensions' | 'whole names';
}

type Variables = readonly (readonly [string, string])[];

/** Literal segments take precedence over variables; backtracks if a literal does not lead to a match. */
function matchSegments<S>(node: TreeNode<S>, path: SplitPath, index: number, taken: Variables): Match<S> | undefined {
  const { segments, ending } = path;
  const raw = segments[index];
  if (raw === undefined) {
    return node.resource && { resource: node.resource, params: Object.fromEntries(taken) };
  }
  const isLast = index === segments.length - 1;
  const segment = decodeSegment(raw);
  const literal = node.literals.get(segment);
  const match = literal && matchSegments(literal, path, index + 1, taken);
  if (match !== undefined) {
    return match;
  }
  const split = isLast && ending === 'extensions' ? splitExtension(raw) : undefined;
  if (split !== undefined) {
    const resource = node.literals.get(decodeSegment(split.base))?.resource;
    if (resource?.extensions.has(split.extension)) {
      return { resource, params: Object.fromEntries(taken), extension: split.extension };
    }
  }
  const pair = isLast ? matchPair(node, raw, taken) : undefined;
  if (pair !== undefined) {
    return pair;
  }
  const variable = node.variable;
  if (variable === undefined) {
    return matchRest(node, path, index, taken);
  }
  const resource = variable.node.resource;
  if (split !== undefined && resource?.extensions.has(split.extension)) {
    return {
      resource,
      params: Object.fromEntries([...taken, [variable.name, decodeSegment(split.base)]]),
      extension: split.extension,
      wholeName: Object.fromEntries([...taken, [variable.name, segment]]),
    };
  }
  return (
    matchSegments(variable.node, path, index + 1, [...taken, [variable.name, segment]]) ??
    matchRest(node, path, index, taken)
  );
}

/** Splits at the first dot before decoding; such a segment has no format extension. */
function matchPair<S>({ pair }: TreeNode<S>, raw: string, taken: Variables): Match<S> | undefined {
  const dot = raw.indexOf('.');
  if (pair === undefined || dot <= 0 || dot === raw.length - 1) {
    return undefined;
  }
  const [one, two] = pair.names;
  const values = [
    [one, decodeSegment(raw.slice(0, dot))],
    [two, decodeSegment(raw.slice(dot + 1))],
  ] as const;
  return { resource: pair.resource, params: Object.fromEntries([...taken, ...values]) };
}

/** Matches the rest of a path as one name; empty segments are ignored as well. */
function matchRest<S>(
  { rest }: TreeNode<S>,
  { segments, ending }: SplitPath,
  index: number,
  taken: Variables,
): Match<S> | undefined {
  if (rest === undefined) {
    return undefined;
  }
  const { name, resource } = rest;
  const toParams = (raw: readonly string[]) =>
    Object.fromEntries([...taken, [name, raw.map(decodeSegment).join('/')] as const]);
  const whole = toParams(segments.slice(index));
  const split = ending === 'extensions' ? splitExtension(segments.at(-1) ?? '') : undefined;
  if (split === undefined || !resource.extensions.has(split.extension)) {
    return { resource, params: whole };
  }
  const params = toParams([...segments.slice(index, -1), split.base]);
  return { resource, params, extension: split.extension, wholeName: whole };
}

function listExtensions<S>(route: Route<S>): readonly string[] {
  if (route.kind === 'service' || route.endsInFileName) {
    return [];
  }
  const accepted = findAccepted(route);
  const sent = accepted?.kind === 'document or file' ? accepted.extensions : [];
  const renditions = route.kind === 'resource' ? route.renditions : [];
  return [...route.formats, ...renditions.flatMap(({ extension }) => extension ?? []), ...sent];
}

/** Splits before decoding, so that an encoded dot always belongs to the name. `.mbstyle.json` is `.mbstyle`. */
function splitExtension(whole: string): { base: string; extension: string } | undefined {
  const raw = whole.replace(/(\.mbstyle)\.json$/i, '$1');
  const dot = raw.lastIndexOf('.');
  return dot > 0 ? { base: raw.slice(0, dot), extension: raw.slice(dot + 1).toLowerCase() } : undefined;
}

/** Decodes one segment once; a plus sign is a space, as form-encoding clients send it. */
export function decodeSegment(raw: string): string {
  if (/^[\w.~!$&'()*,;=:@-]*$/.test(raw)) {
    return raw;
  }
  try {
    return decodeURIComponent(decodeRawUtf8(raw.replaceAll('+', ' ')));
  } catch {
    throw problem('url-malformed', {});
  }
}

/** Node passes each byte of a path as one character; users do type `/workspaces/münchen` unencoded. */
function decodeRawUtf8(raw: string): string {
  return /[\u0080-\u00ff]/.test(raw)
    ? new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(raw, 'latin1'))
    : raw;
}
