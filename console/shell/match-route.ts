/** Finds the route of a path. */

export type RouteParameters = Readonly<Record<string, string>>;

/** Finds the first pattern that matches; `:name` stands for one segment. */
export function matchRoute<R extends { readonly path: string }>(
  routes: readonly R[],
  path: string,
): { readonly route: R; readonly params: RouteParameters } | undefined {
  const segments = splitSegments(path);
  for (const route of routes) {
    const params = matchSegments(splitSegments(route.path), segments);
    if (params !== undefined) return { route, params };
  }
  return undefined;
}

function splitSegments(path: string): readonly string[] {
  return path.split('/').filter((segment) => segment !== '');
}

function matchSegments(pattern: readonly string[], segments: readonly string[]): RouteParameters | undefined {
  if (pattern.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    const segment = segments[index] ?? '';
    if (expected.startsWith(':')) params[expected.slice(1)] = decodeSegment(segment);
    else if (expected !== segment) return undefined;
  }
  return params;
}

export function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
