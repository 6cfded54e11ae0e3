/** The records of settings: of the server, its logging, each workspace, and each service. */
import type { RecordBase } from '../../records/record.ts';
import { createLinkedKind, type LinkedKind } from '../../records/references.ts';
import { workspaceKind } from '../../records/workspace.ts';
import type { SettingValues } from './setting.ts';

export interface GlobalSettings extends RecordBase {
  readonly kind: 'globalSettings';
  readonly values: SettingValues;
}

/** The log level. */
export interface LoggingSettings extends RecordBase {
  readonly kind: 'loggingSettings';
  readonly values: SettingValues;
}

/** Its parent is the workspace. */
export interface WorkspaceSettings extends RecordBase {
  readonly kind: 'workspaceSettings';
  readonly values: SettingValues;
}

/** Global, or a child of a workspace; its name is that of the service. */
export interface ServiceSettings extends RecordBase {
  readonly kind: 'serviceSettings';
  readonly values: SettingValues;
}

export const globalSettingsKind: LinkedKind<GlobalSettings> = createLinkedKind(
  { kind: 'globalSettings', keys: {}, secrets: {} },
  { livesIn: [], references: [] },
);

export const loggingSettingsKind: LinkedKind<LoggingSettings> = createLinkedKind(
  { kind: 'loggingSettings', keys: {}, secrets: {} },
  { livesIn: [], references: [] },
);

export const workspaceSettingsKind: LinkedKind<WorkspaceSettings> = createLinkedKind(
  { kind: 'workspaceSettings', keys: {}, secrets: {} },
  { livesIn: [workspaceKind.kind], goesAlong: true, references: [] },
);

export const serviceSettingsKind: LinkedKind<ServiceSettings> = createLinkedKind(
  { kind: 'serviceSettings', keys: {}, secrets: {} },
  { livesIn: [workspaceKind.kind], goesAlong: true, references: [] },
);

/** The name of records that exist once per parent. */
export const SETTINGS = 'settings';
