/**
 * Text that must never be shown, even sealed or hashed. The compiler requires record kinds to declare fields of this
 * type as secret. At run time it is a plain string, as stored.
 */
declare const isSecret: unique symbol;

export interface Secret {
  readonly [isSecret]: true;
}

export function toSecret(text: string): Secret {
  return text as unknown as Secret;
}

/** Common names of secret parameters. */
const secretName = /pass(?:$|w|phrase)|pwd|pw$|^pin$|secret|token|credential|key|auth|bearer|signature|^sig$/i;

/** Returns whether a parameter without a declaration may be a secret, judging by its name. */
export function isSecretName(name: string): boolean {
  return secretName.test(name);
}

/** Returns the plain text, for checking or unsealing it. */
export function revealSecret(secret: Secret): string {
  return secret as unknown as string;
}
