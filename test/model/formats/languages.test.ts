import { expect, it } from 'vitest';
import { Headings } from '../../../src/model/formats/headings.ts';
import { languages, yesOrNo } from '../../../src/model/formats/languages.ts';
import { resources } from '../../../src/model/resources/all.ts';
import { readMoment } from '../../../src/model/time/typed/typed-date.ts';

/** A Monday. */
const now = Date.parse('2027-03-01T09:00Z');
const wallOf = (text: string) => readMoment(text, now, 'UTC')?.wall;
const dayAfter = (days: number) => new Date(now + days * 86_400_000).toISOString().slice(0, 10);
const withoutAccents = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '');

/** Examples of each language, besides what `Intl` knows: relative days, from two days ago on; one heading of a table for each field of an event; yes and no. */
const written: Record<string, { days: (string | undefined)[]; at: string; headings: Record<string, string>; yes: string; no: string }> = {
  de: {
    days: ['vorgestern', 'gestern', 'heute', 'morgen', 'übermorgen'],
    at: 'um 20:30 Uhr',
    headings: {
      title: 'Titel',
      start_date: 'Datum',
      venue: 'Ort',
      cost: 'Preis',
      description: 'Beschreibung',
      featured: 'hervorgehoben',
      all_day: 'Ganztägig',
    },
    yes: 'JA',
    no: 'nein',
  },
  fr: {
    days: ['avant-hier', 'hier', 'aujourd’hui', 'demain', 'après-demain'],
    at: 'à 20h30',
    headings: {
      title: 'Titre',
      start_date: 'Date',
      venue: 'Lieu',
      cost: 'Tarif',
      description: 'Description',
      featured: 'À la une',
      all_day: 'Toute la journée',
    },
    yes: 'Oui',
    no: 'non',
  },
  es: {
    days: ['anteayer', 'ayer', 'hoy', 'mañana', 'pasado mañana'],
    at: 'a las 20:30',
    headings: {
      title: 'Título',
      start_date: 'Fecha',
      venue: 'Lugar',
      cost: 'Precio',
      description: 'Descripción',
      featured: 'Destacado',
      all_day: 'Todo el día',
    },
    yes: 'Sí',
    no: 'no',
  },
  it: {
    days: ['l’altro ieri', 'ieri', 'oggi', 'domani', 'dopodomani'],
    at: 'alle 20:30',
    headings: {
      title: 'Titolo',
      start_date: 'Data',
      venue: 'Luogo',
      cost: 'Prezzo',
      description: 'Descrizione',
      featured: 'In evidenza',
      all_day: 'Tutto il giorno',
    },
    yes: 'sì',
    no: 'falso',
  },
  nl: {
    days: ['eergisteren', 'gisteren', 'vandaag', 'morgen', 'overmorgen'],
    at: 'om 20:30 uur',
    headings: {
      title: 'Titel',
      start_date: 'Datum',
      venue: 'Locatie',
      cost: 'Prijs',
      description: 'Omschrijving',
      featured: 'Uitgelicht',
      all_day: 'Hele dag',
    },
    yes: 'ja',
    no: 'Nee',
  },
  pt: {
    days: ['anteontem', 'ontem', 'hoje', 'amanhã', 'depois de amanhã'],
    at: 'às 20h30',
    headings: {
      title: 'Nome',
      start_date: 'Data',
      venue: 'Local',
      cost: 'Preço',
      description: 'Descrição',
      featured: 'Destaque',
      all_day: 'Dia inteiro',
    },
    yes: 'Sim',
    no: 'Não',
  },
};

it('each language has examples', () => expect(Object.keys(written)).toEqual(Object.keys(languages)));

it.each(Object.entries(written))(
  '%s: days, months, weekdays, headings, yes and no are read, with and without accents',
  (language, examples) => {
    for (const form of [(text: string) => text, withoutAccents]) {
      examples.days.forEach((text, at) => {
        expect([text, wallOf(form(text!))]).toEqual([text, `${dayAfter(at - 2)} 00:00:00`]);
        const timed = `${text} ${examples.at}`;
        expect([timed, wallOf(form(timed))]).toEqual([timed, `${dayAfter(at - 2)} 20:30:00`]);
      });
      const date = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
      for (let month = 0; month < 12; month++) {
        const text = date.format(Date.UTC(2028, month, 5));
        expect([text, wallOf(form(text))]).toEqual([text, `2028-${String(month + 1).padStart(2, '0')}-05 00:00:00`]);
      }
      const weekday = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' });
      for (let day = 1; day < 7; day++) {
        const text = `${weekday.format(now + day * 86_400_000)} 20:00`;
        expect([text, wallOf(form(text))]).toEqual([text, `${dayAfter(day)} 20:00:00`]);
      }
      const headings = new Headings(resources.events, resources);
      for (const [field, heading] of Object.entries(examples.headings))
        expect([heading, headings.find(form(heading))[0]?.name?.replace('day', 'start_date').replace('all_start_date', 'all_day')]).toEqual(
          [heading, field],
        );
      expect([examples.yes, examples.no, 'x', 'perhaps'].map((word) => yesOrNo(form(word)))).toEqual([true, false, true, undefined]);
    }
  },
);
