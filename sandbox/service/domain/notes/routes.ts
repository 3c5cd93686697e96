import { timestampFilters } from '../../http/filters';
import { failing, resource, route } from '../../http/kit';
import { fields } from '../../http/paging';
import { arrayOf, boolean, notBlank, string, timestamp, object, limited } from '../../http/schema';
import { needingOfSite } from '../account/needs';
import { ofSite, siteOf } from '../sites/rules';
import type { NoteRow } from './rows';

const path = '/sites/{site_id}/notes';
const written = {
	id: string,
	content: string,
	user: object({ name: string, email: string }),
	created_at: timestamp,
	updated_at: timestamp,
};

/** Part B 2.3 and 4.3. */
const notes = resource<NoteRow>({
	name: 'note',
	plural: 'notes',
	path,
	rows: ofSite((store) => store.notes),
	view: ({ id, content, user, internal, created_at, updated_at }) => ({
		id,
		content,
		user,
		versions: { available: internal.versions.length > 0 },
		created_at,
		updated_at,
	}),
	schema: object({ ...written, versions: object({ available: boolean }) }),
});

const noteFields = object({ content: limited(notBlank, { maxLength: 2500 }) });

const listVersions = route({
	operationId: 'listSiteNoteVersions',
	method: 'GET',
	path: `${path}/{note_id}/versions`,
	status: 200,
	response: object({ versions: arrayOf(object(written)) }),
	handle: (context) => ({ versions: [...notes.find(context).internal.versions].reverse() }),
});

export const noteRoutes = needingOfSite('notes', [
	notes.list('listSiteNotes', {
		filters: {
			user_email: {
				type: 'string',
				operators: ['eq', 'contains'],
				value: (note) => note.user.email,
			},
			content: { type: 'string', operators: ['contains'], value: (note) => note.content },
			...timestampFilters('created_at', 'updated_at'),
		},
		sort: fields('updated_at', 'created_at', 'content'),
		defaultSort: 'updated_at,desc',
	}),
	notes.create('createSiteNote', noteFields, (context, { content }) => {
		const { world } = context;
		return world.store.notes.insert({
			id: world.random.hex(24),
			site_id: siteOf(context).id,
			content,
			user: { ...world.settings.currentUser },
			created_at: world.timestamp(),
			updated_at: world.timestamp(),
			internal: { versions: [] },
		});
	}),
	notes.show('showSiteNote'),
	failing(
		[422],
		notes.delete('deleteSiteNote', (note, { world }) => world.store.notes.delete(note.id)),
	),
	notes.update('updateSiteNote', noteFields, (note, { content }, { world }) => {
		note.internal.versions.push({
			id: world.random.hex(24),
			content: note.content,
			user: note.user,
			created_at: note.updated_at,
			updated_at: note.updated_at,
		});
		Object.assign(note, {
			content,
			user: { ...world.settings.currentUser },
			updated_at: world.timestamp(),
		});
	}),
	listVersions,
]);
