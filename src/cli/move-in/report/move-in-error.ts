/** An error that ends a move: the code is part of the report. */
import { CommandError } from '../../client/command.ts';

export class MoveInError extends CommandError {
  readonly code: string;

  constructor(code: string, message: string, options: ConstructorParameters<typeof CommandError>[1] = {}) {
    super(message, options);
    this.code = code;
  }
}
