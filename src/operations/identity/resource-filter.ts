/** The resources of the version report and the manifest; and narrowing a list of them by regular expressions on names, properties and values, and by a range of names. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { compileLinearRegex } from '../../lib/linear-regex/linear-regex.ts';

/** One named thing with properties, as the version report and the manifest list them. */
export interface AboutResource {
  readonly name: string;
  /** In the order they are shown. */
  readonly properties: Readonly<Record<string, string>>;
}

/** `27-Jan-2025 07:51`, as this field writes the moment of a build; in UTC. */
export function formatBuildTimestamp(ms: number): string {
  const [year = '', month = '', day = '', time = ''] = new Date(ms).toISOString().split(/[-T]/);
  return `${day}-${monthNames[Number(month) - 1]}-${year} ${time.slice(0, 5)}`;
}

const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** What a client asked for; null where it did not say. */
export interface ResourceFilter {
  /** The whole name matches. */
  readonly manifest: string | null;
  /** The name of some property matches. */
  readonly key: string | null;
  /** The value of some property matches; together with `key`, of the same property. */
  readonly value: string | null;
  /** Names from this one on, up to the other, both included; one without the other is ignored. */
  readonly from: string | null;
  readonly to: string | null;
}

/** A match of an evil expression takes a while in linear time, too: others get their turn in between. */
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

/** Many resources share a property's name and value: each text is matched once. */
function createMatcher(parameter: 'manifest' | 'key' | 'value', source: string | null): (text: string) => boolean {
  if (source === null) {
    return () => true;
  }
  const regex = compileLinearRegex(source, { what: `The query parameter '${parameter}'`, field: parameter });
  const known = new Map<string, boolean>();
  return (text) => {
    let matches = known.get(text);
    if (matches === undefined) {
      // A plain value is found as it is, whatever its characters mean in an expression.
      matches = text === source || regex.matches(text);
      known.set(text, matches);
    }
    return matches;
  };
}
