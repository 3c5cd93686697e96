import { inBody } from '../../shared/describe/about';
import { create, remove } from '../../shared/describe/changes';
import { contains, emptyControls, type Filters, lifeFilters } from '../../shared/describe/filters';
import { act, get, getMany, resource } from '../../shared/describe/resource';
import { text } from '../../shared/input/kinds';
import { toEmail } from '../../shared/input/forms';

const content = text('content', 'Content', {
	typeOptions: { rows: 4 },
	required: true,
	placeholder: 'e.g. Ask the owner before updating the shop',
	description: 'Text of the note, up to 2500 characters',
});

const filters: Filters = {
	...contains('notes', 'content', 'certificate'),
	'user_email:eq': text('userEmail', 'Author Email', {
		placeholder: 'e.g. name@email.com',
		description: 'Only notes of the author with exactly this email address',
		as: toEmail,
	}),
	...contains('notes', 'user_email', '@example.com', {
		displayName: 'Author Email Contains',
		description: 'Only notes whose author email contains this text',
	}),
	...lifeFilters,
};

/** Part B, 4.3. */
export const note = resource('Note', 'organises', [
	getMany('Get many notes', 'GET /sites/{siteId}/notes', {
		filters,
		sortBy: ['updated_at', 'created_at', 'content'],
	}),
	create('Create note', 'POST /sites/{siteId}/notes', { required: [content] }),
	get('Get note', 'GET /sites/{siteId}/notes/{noteId}'),
	act('Update note', 'POST /sites/{siteId}/notes/{noteId}/update', {
		description: 'Replace the text of a note. The previous text is kept as a version.',
		fields: inBody('note', [content]),
		settles: true,
	}),
	remove('Delete note', 'DELETE /sites/{siteId}/notes/{noteId}', {
		irreversible: 'the earlier versions of the note are deleted as well',
	}),
	get('Get note versions', 'GET /sites/{siteId}/notes/{noteId}/versions', {
		name: 'Get Versions',
		description: 'Get the previous texts of a note, newest first',
		fields: emptyControls,
		kind: 'records',
		wrapper: 'versions',
		renamed: { id: 'version_id' },
	}),
]);
