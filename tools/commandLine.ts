import { parseArgs, type ParseArgsConfig } from 'node:util';
import { UserError } from '../sandbox/lib/errors';

/** @throws UserError with how to use the command */
export function argumentsIn<T extends ParseArgsConfig>(config: T, usage: string) {
	try {
		return parseArgs(config);
	} catch (error) {
		const [reason] = (error as Error).message.split('. ');
		throw new UserError(`${reason}.\n${usage}`);
	}
}

/** Without what would steer the terminal: what others have written can hold anything. */
export const printable = (text: string) => text.replace(/[^\P{Cc}\n]/gu, ' ');

/** What there is to say of an error: of one that is not the user's, where it was. */
export const reasonOf = ({ name, message, stack }: Error) =>
	name === 'UserError' ? message : String(stack);
