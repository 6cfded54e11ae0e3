/** Problems with settings. */
import { defineProblemKind } from '../kind.ts';

export const settingsProblems = {
  'contact-missing': defineProblemKind(
    404,
    'The contact was deleted from the settings.',
    () => 'The settings have no contact. Create it with PUT.',
  ),
  'workspace-settings-exist': defineProblemKind(
    409,
    'The workspace already has its own settings.',
    (d: { workspace: string }) => `The workspace '${d.workspace}' already has settings. Change them with PUT.`,
  ),
  'workspace-settings-missing': defineProblemKind(
    404,
    'The workspace has no settings of its own.',
    (d: { workspace: string }) => `The workspace '${d.workspace}' has no settings of its own.`,
  ),
  'service-unknown': defineProblemKind(
    404,
    'No service of that name has settings.',
    (d: { name: string }) => `No such service: '${d.name}'. Expected wms, wfs, wcs or wmts.`,
  ),
  'service-settings-missing': defineProblemKind(
    404,
    'The workspace has no settings of its own for the service.',
    (d: { service: string; workspace: string }) =>
      `The workspace '${d.workspace}' has no settings of its own for ${d.service.toUpperCase()}. Create them with PUT.`,
  ),
} as const;
