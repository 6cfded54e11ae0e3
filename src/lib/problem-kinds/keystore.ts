/** What can go wrong with the keystore password. */
import { kind } from './kind.ts';

export const keystoreProblems = {
  'keystore-password-wrong': kind(
    422,
    'The old keystore password that was sent is not the current one.',
    () => 'The keystore password was not changed: oldMasterPassword is not the current one.',
  ),
  'keystore-password-weak': kind(
    422,
    'The new keystore password is too short, too long, the same as the old one, or cannot be shown.',
    (d: { reason: string }) =>
      `The keystore password was not changed: newMasterPassword cannot be used, since ${d.reason}.`,
  ),
} as const;
