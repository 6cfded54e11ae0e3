/**
 * Resources of the version report and the manifest, and filters on them: regular expressions for names, properties
 * and values, and a range of names.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { compileLinearRegex } from '../../lib/linear-regex/linear-regex.ts';

/** A named resource with properties, as in the version report and the manifest. */
export interface AboutResource {
  readonly name: string;
  /** In display order. */
  readonly properties: Readonly<Record<string, string>>;
}

/** Formats the time of a build in UTC: `27-Jan-2025 07:51`. */
export function formatBuildTimestamp(ms: number): string {
  const [year = '', month = '', day = '', time = ''] = new Date(ms).toISOString().split(/[-T]/);
  return `${day}-${monthNames[Number(month) - 1]}-${year} ${time.slice(0, 5)}`;
}

const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The filter of a client; null for absent parameters. */
export interface ResourceFilter {
  /** Matches the whole name. */
  readonly manifest: string | null;
  /** Matches the name of a property. */
  readonly key: string | null;
  /** Matches the value of a property; together with `key`, of the same property. */
  readonly value: string | null;
  /** The inclusive range of names; one bound without the other is ignored. */
  readonly from: string | null;
  readonly to: string | null;
}

/** Even linear-time matching can take long with a malicious expression, so the loop yields. */
const TURN_MS = 5;

/** Matching resources keep all their properties. */
export async function filterResources(
  resources: readonly AboutResource[],
  filter: ResourceFilter,
): Promise<readonly AboutResource[]> {
  const isNamed = createMatcher('manifest', filter.manifest);
  const isKey = createMatcher('key', filter.key);
  const isValue = createMatcher('value', filter.value);
  const { from, to } = filter;
  const asksForProperties = filter.key !== null || filter.value !== null;

  const found: AboutResource[] = [];
  let turnStartedAt = performance.now();
  for (const resource of resources) {
    if (performance.now() - turnStartedAt > TURN_MS) {
      await nextTurn();
      turnStartedAt = performance.now();
    }
    const isInRange = from === null || to === null || (resource.name >= from && resource.name <= to);
    const hasProperty = () =>
      !asksForProperties || Object.entries(resource.properties).some(([key, value]) => isKey(key) && isValue(value));
    if (isInRange && isNamed(resource.name) && hasProperty()) {
      found.push(resource);
    }
  }
  return found;
}

/** Many resources share names and values, so each text is matched once. */
function createMatcher(parameter: 'manifest' | 'key' | 'value', source: string | null): (text: string) => boolean {
  if (source === null) {
    return () => true;
  }
  const regex = compileLinearRegex(source, { what: `The query parameter '${parameter}'`, field: parameter });
  const known = new Map<string, boolean>();
  return (text) => {
    let matches = known.get(text);
    if (matches === undefined) {
      // A plain value matches literally, even if its characters have a meaning in an expression.
      matches = text === source || regex.matches(text);
      known.set(text, matches);
    }
    return matches;
  };
}
