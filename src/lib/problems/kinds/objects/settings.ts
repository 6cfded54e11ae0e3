/** What can go wrong with settings. */
import { defineProblemKind } from '../kind.ts';

export const settingsProblems = {
  'contact-missing': defineProblemKind(
    404,
    'The contact was taken away from the settings.',
    () => 'There is no contact: it was taken away. PUT makes one.',
  ),
  'workspace-settings-exist': defineProblemKind(
    409,
    'The workspace has settings of its own already.',
    (d: { workspace: string }) => `The workspace '${d.workspace}' already has settings; change them with PUT.`,
  ),
  'workspace-settings-missing': defineProblemKind(
    404,
    'The workspace has no settings of its own.',
    (d: { workspace: string }) => `The workspace '${d.workspace}' has no settings of its own.`,
  ),
  'service-unknown': defineProblemKind(
    404,
    'There is no service of that name to have settings.',
    (d: { name: string }) => `No such service: '${d.name}'; there are wms, wfs, wcs and wmts.`,
  ),
  'service-settings-missing': defineProblemKind(
    404,
    'The workspace has no settings of its own for that service.',
    (d: { service: string; workspace: string }) =>
      `The workspace '${d.workspace}' has no settings of its own for ${d.service.toUpperCase()}; PUT makes them.`,
  ),
} as const;
