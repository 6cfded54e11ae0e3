/** The problems that the routes of styles declare. */
import type { ProblemCode } from '../../lib/problems/problem-kinds.ts';

export const demandingWork = ['work-too-large', 'work-too-slow', 'work-refused'] as const;
export const unknownWorkspace = ['workspace-unknown', 'no-default-workspace'] as const;
export const globalOnly = ['style-global'] as const;
/** Problems with the content of a style. */
export const wrongContent: readonly ProblemCode[] = [
  'style-invalid',
  'json-malformed',
  'document-too-deep',
  'document-too-busy',
  'style-content-mismatch',
  'style-layer-unknown',
  'style-version-unknown',
  'style-package-content',
  'style-package-image',
  'archive-refused',
  'archive-too-large',
  'upload-empty',
  ...demandingWork,
];
/** Problems with the entry of a style. */
export const wrongEntry: readonly ProblemCode[] = [
  'name-illegal',
  'file-name-illegal',
  'style-exists',
  'style-content-mismatch',
];
