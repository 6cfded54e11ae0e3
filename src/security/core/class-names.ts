/** Class names on the wire: `org.<vendor>.` and one of the names we know. They are compared, never loaded. */

/** The two names of a kind, without `org.<vendor>.`. */
export interface ClassPair {
  readonly className: string;
  readonly configClassName: string;
}

/** One segment of a package name; it also stands in an XML element name. */
const vendorPattern = /^org\.([A-Za-z][A-Za-z0-9_-]{0,63})\.(.+)$/s;

/** The vendor that names are shown with where there is none to keep. */
export const DEFAULT_VENDOR = 'geoserver';

interface ClassNameInput {
  readonly className?: string | null;
  readonly configClassName?: string | null;
}

/**
 * The two names in full, as they were given, the second derived from the first where it was not; undefined unless
 * both are names of one kind.
 */
export function findClassPair(known: readonly ClassPair[], given: ClassNameInput): ClassPair | undefined {
  const className = given.className ?? '';
  const match = vendorPattern.exec(className);
  const pair = known.find((each) => each.className === match?.[2]);
  if (pair === undefined) {
    return undefined;
  }
  const configClassName = given.configClassName ?? `org.${match?.[1]}.${pair.configClassName}`;
  return vendorPattern.exec(configClassName)?.[2] === pair.configClassName ? { className, configClassName } : undefined;
}

/** Whether this is the name of a provider or service class, of a configuration class, or of nothing we know. */
export function findClassRole(known: readonly ClassPair[], name: string): keyof ClassPair | undefined {
  const rest = vendorPattern.exec(name)?.[2];
  if (rest === undefined) {
    return undefined;
  }
  const role = (['configClassName', 'className'] as const).find((each) => known.some((pair) => pair[each] === rest));
  return role;
}

/** The names there are, for a complaint about one that is none. */
export function listExpectedNames(known: readonly ClassPair[], member: keyof ClassPair): readonly string[] {
  return known.map((pair) => `org.${DEFAULT_VENDOR}.${pair[member]}`);
}
