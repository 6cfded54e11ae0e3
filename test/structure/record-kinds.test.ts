/** Every kind of record appears in history and in the configuration, or is an exception with a reason. */
import { expect, test } from 'vitest';
import { findRestPath, type RecordPath } from '../../src/interface/changes/record-path.ts';
import { dialects } from '../../src/interface/common/dialects.ts';
import { listConfigurationKinds } from '../../src/interface/configuration/kinds/kinds.ts';
import { recordKinds } from '../../src/server/storage/record-kinds.ts';

const withoutPath: Readonly<Record<string, string>> = {
  styleFile: 'belongs to a style',
  persistedSchemas: 'belongs to a store of a document database',
  administrator: 'is a user without a document',
  keystore: 'is secret',
  securityState: 'counts changes',
  tokenState: 'counts changes',
  removedAuthProvider: 'remembers a name',
  urlCheckSet: 'counts changes',
  dataRuleSet: 'counts changes',
};

const withoutConfiguration: Readonly<Record<string, string>> = {
  ...withoutPath,
  apiToken: 'is a credential of one server',
  catalogSettings: 'is exported as defaultWorkspace',
  authProviderOrder: 'is exported as authProviderOrder',
  accessSettings: 'is exported as catalogMode',
  ruleSet: 'is exported as accessRules',
  accessRule: 'is part of accessRules',
  loggingSettings: 'is exported as logging',
};

/** The ancestors that some kinds have. */
const parents: Readonly<Record<string, readonly string[]>> = {
  user: ['userGroupService'],
  group: ['userGroupService'],
  accessRule: ['ruleSet'],
  workspaceSettings: ['workspace'],
  dataStore: ['workspace'],
  coverageStore: ['workspace'],
  wmsStore: ['workspace'],
  wmtsStore: ['workspace'],
  featureType: ['workspace', 'dataStore'],
  coverage: ['workspace', 'coverageStore'],
  wmsLayer: ['workspace', 'wmsStore'],
  wmtsLayer: ['workspace', 'wmtsStore'],
  layer: ['workspace', 'dataStore', 'featureType'],
  tileLayer: ['workspace', 'dataStore', 'featureType', 'layer'],
};

const kinds = recordKinds.map(({ kind }) => kind);

test('every kind of record has a path in history and events', () => {
  const missing = kinds.filter((kind) => {
    const path: RecordPath = [...(parents[kind] ?? []), kind].map((each) => ({ kind: each, name: 'a' }));
    return findRestPath(path) === null && !Object.hasOwn(withoutPath, kind);
  });

  expect(missing, 'Add the path of these records to src/interface/changes/record-path.ts.').toEqual([]);
});

test('every kind of record is part of the exported configuration', () => {
  const exported = new Set(listConfigurationKinds(dialects.graticule).map(({ kind }) => kind));
  const missing = kinds.filter((kind) => !exported.has(kind) && !Object.hasOwn(withoutConfiguration, kind));

  expect(missing, 'Add these kinds to src/interface/configuration/kinds/.').toEqual([]);
});
