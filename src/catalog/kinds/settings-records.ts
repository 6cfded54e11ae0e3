/** The records that settings are kept in: of the server and its log, of each workspace, of a service for each. */
import type { RecordBase } from '../../records/record.ts';
import { createLinkedKind, type LinkedKind } from '../../records/references.ts';
import { workspaceKind } from '../../records/workspace.ts';
import type { SettingValues } from './setting.ts';

export interface GlobalSettings extends RecordBase {
  readonly kind: 'globalSettings';
  readonly values: SettingValues;
}

/** How much is logged. */
export interface LoggingSettings extends RecordBase {
  readonly kind: 'loggingSettings';
  readonly values: SettingValues;
}

/** Lives in its workspace. */
export interface WorkspaceSettings extends RecordBase {
  readonly kind: 'workspaceSettings';
  readonly values: SettingValues;
}

/** Lives at the top, or in a workspace; its name is that of the service. */
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

/** The name of the records of which there is one in each place. */
export const SETTINGS = 'settings';
