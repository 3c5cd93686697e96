import { optionsFrom, text } from '../input/kinds';
import { toEmail } from '../input/forms';

/** Roles of a person in an account. Source: Part A, 2.2 and 2.14. */
export const accountRoles = optionsFrom({
	administrator: 'Administrator',
	co_owner: 'Co-Owner',
	collaborator: 'Collaborator',
});

/** Of clients and team members. Source: Part A, 2.1 and 2.14. */
export const companyName = text('companyName', 'Company Name', { placeholder: 'e.g. Example Ltd' });

export const emailOf = (description: string) =>
	text('email', 'Email', { placeholder: 'e.g. name@email.com', description, as: toEmail });

export const note = text('note', 'Note', {
	typeOptions: { rows: 3 },
	placeholder: 'e.g. Prefers to be called in the morning',
});
