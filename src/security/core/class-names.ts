/**
 * Class names in requests and responses: `org.<vendor>.` and one of the supported names. They are compared, never
 * loaded.
 */

/** The two names of a class, without `org.<vendor>.`. */
export interface ClassPair {
  readonly className: string;
  readonly configClassName: string;
}

/** One segment of a package name; it is also used in an XML element name. */
const vendorPattern = /^org\.([A-Za-z][A-Za-z0-9_-]{0,63})\.(.+)$/s;

/** The vendor for names that were not sent by a client. */
export const DEFAULT_VENDOR = 'geoserver';

interface ClassNameInput {
  readonly className?: string | null;
  readonly configClassName?: string | null;
}

/**
 * Returns the two full names as the client sent them, deriving the second if it is absent; undefined unless both belong
 * to one class.
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

/**
 * Returns whether the name is that of a provider or service class or of a configuration class; undefined if unknown.
 */
export function findClassRole(known: readonly ClassPair[], name: string): keyof ClassPair | undefined {
  const rest = vendorPattern.exec(name)?.[2];
  if (rest === undefined) {
    return undefined;
  }
  const role = (['configClassName', 'className'] as const).find((each) => known.some((pair) => pair[each] === rest));
  return role;
}

/** Lists the supported names, for error messages. */
export function listExpectedNames(known: readonly ClassPair[], member: keyof ClassPair): readonly string[] {
  return known.map((pair) => `org.${DEFAULT_VENDOR}.${pair[member]}`);
}
