/** Explains errors of the file system to administrators. Responses to clients use `findDiskProblem` instead. */
import { findErrorCode } from './error-code.ts';

/** By error code, with the path in quotes or "it". */
const explanations: Readonly<Record<string, (path: string) => string>> = {
  ENOENT: (path) => `${path} does not exist`,
  ENOTDIR: (path) => `a part of ${path} is not a directory`,
  EISDIR: (path) => `${path} is a directory`,
  EEXIST: (path) => `${path} exists already`,
  ENOTEMPTY: (path) => `${path} is not empty`,
  EACCES: (path) => `this user has no permission to use ${path}`,
  EPERM: (path) => `this user has no permission to use ${path}`,
  EROFS: (path) => `the file system of ${path} is read-only`,
  ENOSPC: () => 'the disk is full',
  EDQUOT: () => 'the disk quota is used up',
  ENAMETOOLONG: (path) => `the name ${path} is too long`,
};

/** Returns the reason, without a full stop at its end. */
export function explainFileError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const explain = explanations[findErrorCode(error) ?? ''];
  if (explain === undefined) return error.message.replace(/\.$/, '');
  return explain('path' in error && typeof error.path === 'string' ? `'${error.path}'` : 'it');
}
