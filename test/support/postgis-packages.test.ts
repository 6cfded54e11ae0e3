import { describe, expect, test } from 'vitest';
import type { PackageLists } from './package-lists.ts';
import { postgisPackages } from './postgis-packages.ts';

const offering = (names: readonly string[], distribution: readonly string[] = []): PackageLists => ({
  matching: (pattern) => names.filter((name) => new RegExp(pattern).test(name)),
  listDependencies: (name) => (name === 'postgresql' ? distribution : []),
});

describe('package selection for PostGIS', () => {
  const many = offering(
    ['postgresql-9-postgis-3', 'postgresql-15-postgis-3', 'postgresql-17-postgis-3', 'postgresql-16-postgis-3-scripts'],
    ['postgresql-15', 'postgresql-common'],
  );

  test('selects the PostgreSQL version that is already installed', () => {
    expect(postgisPackages(many, ['17'])).toEqual(['postgresql-17', 'postgresql-17-postgis-3']);
  });

  test('selects the version of the distribution when none is installed', () => {
    expect(postgisPackages(many, [])).toEqual(['postgresql-15', 'postgresql-15-postgis-3']);
  });

  test('selects the version of the distribution when the installed one has no PostGIS', () => {
    expect(postgisPackages(many, ['12'])).toEqual(['postgresql-15', 'postgresql-15-postgis-3']);
  });

  test('selects the newest version when the distribution has no default, comparing versions as numbers', () => {
    const lists = offering(['postgresql-9-postgis-3', 'postgresql-16-postgis-3', 'postgresql-16-postgis-4']);

    expect(postgisPackages(lists, [])).toEqual(['postgresql-16', 'postgresql-16-postgis-4']);
  });

  test('selects nothing when no package is available', () => {
    expect(postgisPackages(offering([]), ['15'])).toEqual([]);
  });
});
