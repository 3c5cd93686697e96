import { NodeOperationError } from 'n8n-workflow';
import type { CallContext } from '../n8n/context';

/** Maximum characters of a refused value in a message. */
const SHOWN = 60;

/** Bad input; the message continues "The parameter "Name" …". */
export class Refusal extends Error {
	/** Where in the parameter, such as row `2` and its field `Title`. */
	readonly path: string[] = [];

	/** @param secretly the message for a field whose value must not be repeated */
	constructor(
		message: string,
		readonly secretly: string,
	) {
		super(message);
	}
}

export function refuse(message: string, secretly = message): never {
	throw new Refusal(message, secretly);
}

/** Runs `work` on a part of a parameter. Adds the part to a refusal, and hides the value of a secret. */
export function within<T>(path: string[], work: () => T, isSecret = false): T {
	try {
		return work();
	} catch (error) {
		return rethrow(error, path, isSecret);
	}
}

/** Separate, because n8n's lint rules allow only node errors to be thrown in a catch clause. */
function rethrow(error: unknown, path: string[], isSecret: boolean): never {
	if (error instanceof Refusal) {
		error.path.unshift(...path);
		if (isSecret) error.message = error.secretly;
	}
	throw error;
}

/** A refused value for a message: quoted, cut, on one line, without the user and password of a URL. */
export function shown(value: unknown): string {
	if (typeof value === 'number') return String(value);
	const text = String(typeof value === 'object' ? JSON.stringify(value) : value)
		.slice(0, 10 * SHOWN)
		.replace(/\/\/[^/?#\s]*@/g, '//…@')
		.replace(/[\p{Cc}\p{Surrogate}]+/gu, ' ');
	return `"${text.length > SHOWN ? `${text.slice(0, SHOWN - 1)}…` : text}"`;
}

/** Runs `work` on the value of a parameter. @throws NodeOperationError that names it as the panel does */
export function naming<T>(context: CallContext, displayName: string, work: () => T): T {
	try {
		return work();
	} catch (error) {
		const refusal = error instanceof Refusal ? error : undefined;
		const name = [displayName, ...(refusal?.path ?? [])].join(' > ');
		const message = `The parameter "${name}" ${refusal?.message ?? 'cannot be used'}`;
		const failure = new NodeOperationError(context.getNode(), message, {
			itemIndex: 'getItemIndex' in context ? context.getItemIndex() : undefined,
			description:
				'Nothing was sent. If the parameter is an expression, check its value for this item.',
		});
		// n8n replaces a message that contains the code of a network error.
		failure.message = message;
		throw failure;
	}
}
