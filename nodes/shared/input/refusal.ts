import type { INode } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

/** Characters of a refused value that a message repeats. */
const SHOWN = 60;

/** Bad input; the message continues "The parameter "Name" …". */
export class Refusal extends Error {
	/** Where in the parameter, such as row `2` and its field `Title`. */
	readonly path: string[] = [];

	/** @param secretly the message for a field whose value must not be repeated */
	constructor(
		message: string,
		private readonly secretly: string,
	) {
		super(message);
	}

	hideValue(): void {
		this.message = this.secretly;
	}
}

/** @throws Refusal */
export function refuse(message: string, secretly = message): never {
	throw new Refusal(message, secretly);
}

/** Runs `work` on a part of a parameter; a refusal tells which part it was. */
export function within<T>(path: string[], work: () => T): T {
	try {
		return work();
	} catch (error) {
		return rethrow(error, path);
	}
}

/** Apart, since n8n's lint rules let a catch clause throw nothing but errors of nodes, which a Refusal becomes later. */
export function rethrow(error: unknown, path: string[] = []): never {
	if (error instanceof Refusal) error.path.unshift(...path);
	throw error;
}

/** A refused value for a message: in quotes, cut, on one line, and without the user and password of a URL. */
export function shown(value: unknown): string {
	if (typeof value === 'number') return String(value);
	const text = textOf(value)
		.slice(0, 10 * SHOWN)
		.replace(/\/\/[^/?#\s]*@/g, '//…@')
		.replace(/[\p{Cc}\p{Surrogate}]+/gu, ' ');
	return `"${text.length > SHOWN ? `${text.slice(0, SHOWN - 1)}…` : text}"`;
}

function textOf(value: unknown): string {
	if (typeof value === 'string') return value;
	try {
		return (typeof value === 'object' ? JSON.stringify(value) : undefined) ?? String(value);
	} catch {
		return typeof value;
	}
}

/** The context of whoever reads the input: an item of a node, a trigger, a list of the editor. */
interface Reader {
	getNode(): INode;
	getItemIndex?(): number;
}

/**
 * Runs `work` on the value of a parameter.
 * @param displayName the parameter as the panel shows it
 * @throws NodeOperationError that names it
 */
export function naming<T>(context: Reader, displayName: string, work: () => T): T {
	try {
		return work();
	} catch (error) {
		throw inputError(context, displayName, error);
	}
}

/**
 * The error for a parameter that cannot be used.
 * @param displayName the parameter as the panel shows it
 */
export function inputError(context: Reader, displayName: string, error: unknown) {
	const known = error instanceof Refusal;
	const name = [displayName, ...(known ? error.path : [])].join(' > ');
	const message = `The parameter "${name}" ${known ? error.message : 'cannot be used'}`;
	const result = new NodeOperationError(context.getNode(), message, {
		itemIndex: context.getItemIndex?.(),
		description:
			'Nothing was sent. If the parameter is an expression, check its value for this item.',
	});
	// n8n puts words of its own in the place of a message in which it sees the code of a network error.
	result.message = message;
	return result;
}
