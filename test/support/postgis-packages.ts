/**
 * Selects the PostGIS packages for one version of PostgreSQL: the installed one, or the default of the distribution.
 */
import { installedServerVersions } from './find-postgis.ts';
import type { PackageLists } from './package-lists.ts';

export function postgisPackages(
  lists: PackageLists,
  installedVersions: readonly string[] = installedServerVersions(),
): readonly string[] {
  const offered = lists.matching('^postgresql-[0-9]+-postgis-[0-9]+$').map(readName).sort(newestFirst);
  const preferred = [...installedVersions, ...distributionVersions(lists)];
  const version = preferred.find((wanted) => offered.some((one) => one.server === wanted)) ?? offered[0]?.server;
  const chosen = offered.find((one) => one.server === version);
  return chosen === undefined ? [] : [`postgresql-${chosen.server}`, chosen.name];
}

interface Offer {
  readonly name: string;
  readonly server: string;
}

function readName(name: string): Offer {
  return { name, server: /^postgresql-(\d+)-/.exec(name)?.[1] ?? '' };
}

function newestFirst(one: Offer, other: Offer): number {
  return other.name.localeCompare(one.name, 'en', { numeric: true });
}

/** The metapackage `postgresql` depends on the version that the distribution supports. */
function distributionVersions(lists: PackageLists): readonly string[] {
  return lists.listDependencies('postgresql').flatMap((name) => /^postgresql-(\d+)$/.exec(name)?.[1] ?? []);
}
