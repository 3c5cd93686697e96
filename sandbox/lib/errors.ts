/** A failure that is explained to the user by its message alone, without a stack. */
export class UserError extends Error {
	override name = 'UserError';
}
