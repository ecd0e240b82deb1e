/**
 * The abbreviations of every zone, from the tz database 2025b (public domain). Written by `npm run abbreviations`.
 *
 * A row is `offset names,…|zones`. An offset is in hours, or in seconds after an `s`. `MSD<15060/MSK` says MSD until day 15060 of Unix
 * time, MSK from then on; nothing before or after `<` or `/` says that the offset had no abbreviation then. Names that ended before 1970
 * and offsets that never had one are left out.
 */
export const abbreviationTable = `
0 GMT|Africa/Abidjan Africa/Accra Africa/Bamako Africa/Bissau Africa/Conakry Africa/Dakar Africa/Lome Africa/Nouakchott Africa/Ouagadougou Africa/Timbuktu America/Danmarkshavn Atlantic/Reykjavik Etc/GMT Etc/GMT+0 Etc/GMT-0 Etc/GMT0 Etc/Greenwich GMT GMT+0 GMT-0 GMT0 Greenwich Iceland
s9320 ADMT,3 EAT|Africa/Addis_Ababa
s561 PMT,0 WET,1 CET<480/WEST<2850/CET<3767/WEST<4138/CET,2 CEST|Africa/Algiers
s9332 AMT,s9320 ADMT,3 EAT|Africa/Asmara
3 EAT|Africa/Asmera Africa/Dar_es_Salaam Africa/Djibouti Africa/Kampala Africa/Mogadishu Africa/Nairobi Indian/Comoro Indian/Mayotte
1 WAT|Africa/Bangui Africa/Brazzaville Africa/Douala Africa/Kinshasa Africa/Libreville Africa/Luanda
s-3996 BMT,0 GMT|Africa/Banjul
s8470 ZMT,s8460 ZMT,2 CAT|Africa/Blantyre
2 CAT|Africa/Bujumbura Africa/Harare Africa/Kigali Africa/Lusaka Africa/Maputo
2 EET,3 EEST|Africa/Cairo Asia/Beirut Asia/Nicosia EET Egypt Europe/Nicosia
0 WET,1 WEST<5188/CET,2 CEST|Africa/Ceuta
s-3180 FMT,0 GMT|Africa/Freetown
1.5 SAST,2 CAT,3 CAST|Africa/Gaborone
1.5 SAST,2 SAST,3 SAST|Africa/Johannesburg
2 CAT,3 CAST<10972/EAT|Africa/Juba Africa/Khartoum
0 GMT,1 WAT|Africa/Lagos Africa/Malabo Africa/Niamey Africa/Porto-Novo Africa/Sao_Tome
1 WAT,2 CAT|Africa/Lubumbashi
2 SAST,3 SAST|Africa/Maseru
2 SAST|Africa/Mbabane
s-2588 MMT,s-2670 MMT,0 GMT|Africa/Monrovia
1 WAT,2 WAST|Africa/Ndjamena
1 CET,2 EET<4473/CEST<7428/EET<9955/CEST<10138/EET<15793/CEST<16003/EET|Africa/Tripoli Libya
s561 PMT,1 CET,2 CEST|Africa/Tunis
2 SAST<7384/CAT,3 SAST,1 WAT|Africa/Windhoek
-11 BST,-10 BDT<5051/AHST<5082/HST,-9 HDT|America/Adak America/Atka US/Aleutian
-10 AHST,-9 AHDT<5051/YST<5082/AKST,-8 AKDT|America/Anchorage US/Alaska
-4 AST|America/Anguilla America/Aruba America/Curacao America/Dominica America/Grenada America/Guadeloupe America/Miquelon America/Montserrat America/Port_of_Spain America/St_Kitts America/St_Thomas America/Tortola
-5 EST,-4 AST|America/Antigua
s-15408 CMT|America/Argentina/Buenos_Aires America/Argentina/Catamarca America/Argentina/ComodRivadavia America/Argentina/Cordoba America/Argentina/Jujuy America/Argentina/La_Rioja America/Argentina/Mendoza America/Argentina/Rio_Gallegos America/Argentina/Salta America/Argentina/San_Juan America/Argentina/San_Luis America/Argentina/Tucuman America/Argentina/Ushuaia America/Buenos_Aires America/Catamarca America/Cordoba America/Jujuy America/Mendoza America/Rosario
s-13840 AMT|America/Asuncion
-6 CST,-5 EST|America/Atikokan
-7 MST,-6 CST<9594/MDT<14914/CST,-5 CDT|America/Bahia_Banderas
-4 AST,-3 ADT|America/Barbados America/Glace_Bay America/Halifax America/Thule Canada/Atlantic
-6 CST,-5 CPT<1435/CDT|America/Belize
-4 AST,-3 APT|America/Blanc-Sablon America/Kralendijk America/Lower_Princes America/Marigot America/Puerto_Rico America/St_Barthelemy America/Virgin
s-17776 BMT|America/Bogota
-8 PST,-7 MST,-6 MDT|America/Boise
-7 MST,-6 MPT<851/MDT<10896/CST<11414/MDT,-5 CDT<11260/EST|America/Cambridge_Bay
-6 CST,-5 EST<9594/CDT<10161/EST<10441/CDT<16468/EST,-4 EDT|America/Cancun
s-16060 CMT|America/Caracas
s-18430 KMT,-5 EST|America/Cayman
-6 CST,-5 CDT|America/Chicago America/El_Salvador America/Guatemala America/Matamoros America/Rainy_River America/Tegucigalpa America/Winnipeg CST6CDT Canada/Central US/Central
-7 MST,-6 CST<10322/MDT<19296/CST,-5 CDT|America/Chihuahua America/Ojinaga
-7 MST,-6 CST<10322/MDT<19296/CST<19429/MDT,-5 CDT|America/Ciudad_Juarez
s-19176 CMT,-5 EST|America/Coral_Harbour America/Panama
s-20173 SJMT,-6 CST,-5 CDT|America/Costa_Rica
s-16965 SMT|America/Coyhaique America/Punta_Arenas America/Santiago Chile/Continental
-7 MST,-8 PST|America/Creston
-9 YST,-8 YPT<1397/PST,-7 YDDT<3770/PDT<18568/MST|America/Dawson
-8 PST,-7 PDT<973/MST|America/Dawson_Creek
-7 MST,-6 MDT|America/Denver America/Edmonton America/Phoenix America/Shiprock America/Yellowknife Canada/Mountain MST7MDT Navajo US/Arizona US/Mountain
-6 CST,-5 EST,-4 EDT|America/Detroit America/Fort_Wayne America/Indiana/Indianapolis America/Indiana/Vevay America/Indianapolis US/East-Indiana US/Michigan
-7 PDT,-8 PST|America/Ensenada America/Santa_Isabel America/Tijuana Mexico/BajaNorte
-8 PST,-7 PDT<16503/MST|America/Fort_Nelson
s-12652 NST,s-9052 NDT,-3.5 NST,-2.5 NDT,-4 AST,-3 ADT,-2 ADDT|America/Goose_Bay
s-18430 KMT,-5 EST,-4 EDT<16503/AST<17602/EDT|America/Grand_Turk
s-18840 QMT|America/Guayaquil
s-19776 HMT,-5 CST,-4 CDT|America/Havana Cuba
-7 MST,-6 CST<9594/MDT|America/Hermosillo America/Mazatlan Mexico/BajaSur
-6 CST,-5 CDT<7970/EST<13241/CDT|America/Indiana/Knox America/Knox_IN US/Indiana-Starke
-6 CST,-5 EST<1467/CDT<1761/EST,-4 EDT|America/Indiana/Marengo America/Kentucky/Louisville America/Louisville
-6 CST,-5 CDT<2860/EST<13241/CDT<13822/EST,-4 EDT|America/Indiana/Petersburg
-6 CST,-5 EST<13241/CDT,-4 EDT|America/Indiana/Tell_City
-6 CST,-5 EST<13241/CDT<13822/EST,-4 EDT|America/Indiana/Vincennes America/Indiana/Winamac
-8 PST,-7 PDT<3588/MST,-6 MDT|America/Inuvik
-4 EPT<851/EDT,-5 EST<11050/CDT<11260/EST,-6 CST|America/Iqaluit America/Pangnirtung
s-18430 KMT,-5 EST,-4 EDT|America/Jamaica Jamaica
-8 PST<3770/YDT<3952/PST<5233/AKDT,-7 PDT,-9 YST<5082/AKST|America/Juneau
-6 CST,-5 CDT<11260/EST,-4 EDT|America/Kentucky/Monticello
s-16356 CMT,s-12756 BST|America/La_Paz
-8 PST,-7 PDT|America/Los_Angeles America/Vancouver Canada/Pacific PST8PDT US/Pacific
s-20712 MMT,-6 CST,-5 EST<3364/CDT<8036/EST<12884/CDT|America/Managua
s-14660 FFMT,-4 AST,-3 ADT|America/Martinique
-6 CST,-5 EST<1215/CDT|America/Menominee
-6 CST,-5 EST<9594/CDT|America/Merida
-8 PST<16874/AKDT<17840/PST<17966/AKDT,-7 PDT,-9 AKST|America/Metlakatla
-7 MST,-6 CST,-5 CDT|America/Mexico_City America/Monterrey Mexico/General
-5 EST,-4 AST,-3 ADT|America/Moncton
s-13491 MMT|America/Montevideo
-5 EST,-4 EDT|America/Montreal America/Nassau America/New_York America/Nipigon America/Thunder_Bay America/Toronto Canada/Eastern EST5EDT US/Eastern
-11 BST,-10 BDT,-9 YST<5082/AKST,-8 AKDT|America/Nome
-7 MST,-6 MDT<14921/CST,-5 CDT|America/North_Dakota/Beulah
-7 MST,-6 MDT<8334/CST,-5 CDT|America/North_Dakota/Center
-7 MST,-6 MDT<12352/CST,-5 CDT|America/North_Dakota/New_Salem
s-13252 PMT,s-13236 PMT|America/Paramaribo
s-17340 PPMT,-5 EST,-4 EDT|America/Port-au-Prince
-6 CST,-5 CDT<11260/EST<11414/CDT|America/Rankin_Inlet
-7 MST,-6 CST|America/Regina Canada/Saskatchewan
-6 CST,-5 CDT<11260/EST<11414/CDT<13451/EST<13584/CDT|America/Resolute
s-16800 SDMT,-5 EST,-4 EDT<1761/AST|America/Santo_Domingo
-8 PST<5233/AKDT,-7 PDT,-9 YST<5082/AKST|America/Sitka
s-12652 NST,s-9052 NDT,-3.5 NST,-2.5 NDT,-1.5 NDDT|America/St_Johns Canada/Newfoundland
s-14640 CMT,-4 AST|America/St_Lucia
s-14696 KMT,-4 AST|America/St_Vincent
-7 MST,-6 MDT<851/CST|America/Swift_Current
-9 YST,-8 PST,-7 YDDT<3770/PDT<18568/MST|America/Whitehorse Canada/Yukon
-9 YST<5082/AKST,-8 YDT<5233/AKDT|America/Yakutat
10 AEST,11 AEDT|Antarctica/Macquarie Australia/ACT Australia/Brisbane Australia/Canberra Australia/Currie Australia/Hobart Australia/Lindeman Australia/Melbourne Australia/NSW Australia/Queensland Australia/Sydney Australia/Tasmania Australia/Victoria
12 NZST,13 NZDT|Antarctica/McMurdo
11.5 NZMT,12.5 NZST,12 NZST,13 NZDT|Antarctica/South_Pole NZ Pacific/Auckland
1 CET,2 CEST,3 CEMT|Arctic/Longyearbyen Atlantic/Jan_Mayen Europe/Berlin
2 EET,3 EEST<19293/|Asia/Amman Asia/Damascus
s10656 BMT|Asia/Baghdad
s24124 BMT|Asia/Bangkok
s21200 HMT,s19270 MMT,5.5 IST|Asia/Calcutta Asia/Kolkata
8 CST,9 CDT|Asia/Chongqing Asia/Chungking Asia/Harbin Asia/Macao Asia/Macau Asia/Shanghai Asia/Taipei PRC ROC
s19172 MMT|Asia/Colombo
s21200 HMT|Asia/Dacca Asia/Dhaka
2 EET,3 EEST<17052/<17616/EEST|Asia/Famagusta
2 IST<9496/EET,3 EEST<1648/IDT<9591/EEST|Asia/Gaza Asia/Hebron
s25590 PLMT|Asia/Ho_Chi_Minh Asia/Phnom_Penh Asia/Saigon Asia/Vientiane
8 HKT,9 HKST,8.5 HKWT|Asia/Hong_Kong Hongkong
s25025 IMT|Asia/Irkutsk
s7016 IMT,2 EET,3 EEST<3101/<5588/EEST<17051/|Asia/Istanbul Europe/Istanbul Turkey
s25632 BMT,7 WIB|Asia/Jakarta
9 WIT|Asia/Jayapura
s8440 JMT,2 IST,3 IDT,4 IDDT|Asia/Jerusalem Asia/Tel_Aviv Israel
5 <449/PKT,6 PKST|Asia/Karachi
s24925 SMT|Asia/Kuala_Lumpur Asia/Singapore Singapore
s28656 MMT,8 WITA|Asia/Makassar Asia/Ujung_Pandang
8 PST,9 PDT|Asia/Manila
s26240 PMT,8 WITA,7 WIB|Asia/Pontianak
8.5 KST,9 KST|Asia/Pyongyang
s23087 RMT|Asia/Rangoon Asia/Yangon
8.5 KST,9 KST,10 KDT,9.5 KDT|Asia/Seoul ROK
s10751 TBMT|Asia/Tbilisi
s12344 TMT|Asia/Tehran Iran
9 JST,10 JDT|Asia/Tokyo Japan
s13505 PMT|Asia/Yekaterinburg
s-6872 HMT,0 <8397/WET<8569/,1 WEST|Atlantic/Azores
s-15558 BMT,s-11958 BST,-4 AST,-3 ADT|Atlantic/Bermuda
0 WET,1 WEST|Atlantic/Canary Atlantic/Faeroe Atlantic/Faroe WET
s-4056 FMT,0 WET,1 <4476/WEST|Atlantic/Madeira
s-1368 JMT,0 GMT|Atlantic/St_Helena
s-13884 SMT|Atlantic/Stanley
9 ACST,9.5 ACST,10.5 ACDT|Australia/Adelaide Australia/Darwin Australia/North Australia/South
10 AEST,9 ACST,9.5 ACST,10.5 ACDT|Australia/Broken_Hill Australia/Yancowinna
10 AEST|Australia/LHI Australia/Lord_Howe
8 AWST,9 AWDT|Australia/Perth Australia/West
1 CET,2 CEST|CET Europe/Belgrade Europe/Budapest Europe/Ljubljana Europe/Malta Europe/Oslo Europe/Podgorica Europe/Sarajevo Europe/Skopje Europe/Tirane Europe/Vaduz Europe/Vienna Europe/Zagreb
s-26248 EMT|Chile/EasterIsland Pacific/Easter
-5 EST|EST
s-1521 DMT,s2079 IST,0 GMT,1 IST|Eire Europe/Dublin
0 UTC|Etc/UCT Etc/UTC Etc/Universal Etc/Zulu UCT UTC Universal Zulu
s1172 AMT,s4772 NST,2 CEST,1 CET|Europe/Amsterdam
0 WET,1 CET,2 CEST|Europe/Andorra Europe/Madrid
s5692 AMT,2 EET,3 EEST,1 CET|Europe/Athens
0 GMT,1 BST,2 BDST|Europe/Belfast Europe/Guernsey Europe/Isle_of_Man Europe/Jersey Europe/London GB GB-Eire
s3464 PMT,1 CET,2 CEST,0 GMT|Europe/Bratislava Europe/Prague
s1050 BMT,0 WET,1 CET,2 CEST|Europe/Brussels
s6264 BMT,2 EET,3 EEST|Europe/Bucharest
s1786 BMT,1 CET,2 CEST|Europe/Busingen Europe/Zurich
s6900 CMT,s6264 BMT,2 CEST<7577/EET,3 MSK<7430/EEST,1 CET,4 MSD|Europe/Chisinau Europe/Tiraspol
s3020 CMT,1 CET,2 CEST|Europe/Copenhagen
0 GMT,1 CET,2 BDST<4470/CEST|Europe/Gibraltar
s5989 HMT,2 EET,3 EEST|Europe/Helsinki Europe/Mariehamn
1 CET,2 EET,3 MSK<7024/EEST<15060/,4 MSD|Europe/Kaliningrad
s7324 KMT,2 CEST<7941/EET,3 MSK<7486/EEST,1 CET,4 MSD|Europe/Kiev Europe/Kyiv Europe/Uzhgorod Europe/Zaporozhye
3 <7206/MSK,4 <7024/MSD<7759/<8123/MSD<15060/MSK|Europe/Kirov
0 WET,1 CET<2642/WEST<8306/CET<9587/WEST,2 WEMT<8488/CEST|Europe/Lisbon Portugal
1 CET,2 CEST,0 WET|Europe/Luxembourg
s6600 MMT,2 CEST<7941/EET,3 MSK<7759/EEST<15060/,1 CET,4 MSD|Europe/Minsk
s561 PMT,0 WET,1 CET,2 WEMT<2278/CEST|Europe/Monaco Europe/Paris
s9017 MMT,s9079 MMT,s12679 MST,s16279 MDST,4 MSD<15060/MSK,3 MSK<7759/EEST<8053/MSK,2 EET|Europe/Moscow W-SU
s5794 RMT,s9394 LST,2 CEST<7206/EET,3 MSK<7024/EEST,1 CET,4 MSD|Europe/Riga
s2996 RMT,1 CET,2 CEST|Europe/Rome Europe/San_Marino Europe/Vatican
s8160 SMT,2 CEST<7486/EET,3 MSK<8123/EEST<9033/MSK<9951/EEST<16369/MSK,1 CET,4 MSD<16159/MSK|Europe/Simferopol
s7016 IMT,2 EET,1 CET,3 EEST|Europe/Sofia
s3614 SET,1 CET,2 CEST|Europe/Stockholm
s5940 TMT,1 CET,2 CEST<7206/EET,3 MSK<7024/EEST,4 MSD|Europe/Tallinn
s5040 WMT,s5736 KMT,1 CET,2 CEST<7206/EET<10315/CEST<10896/EET,3 MSK<7024/EEST,4 MSD|Europe/Vilnius
3 <6842/MSK,4 <6660/MSD<7759/<8123/MSD<15060/MSK<17832/|Europe/Volgograd
s5040 WMT,1 CET,2 CEST,3 EEST|Europe/Warsaw Poland
-10 HST|HST
3 EAT,4 EAST|Indian/Antananarivo
s17640 MMT|Indian/Maldives
1 MET,2 MEST|MET
-7 MST|MST
s35312 PMMT|Pacific/Bougainville Pacific/Port_Moresby Pacific/Truk Pacific/Yap
10 GST<11314/ChST,11 GDT|Pacific/Guam Pacific/Saipan
-10.5 HST,-9.5 HPT,-10 HST|Pacific/Honolulu Pacific/Johnston US/Hawaii
-11 SST|Pacific/Midway Pacific/Pago_Pago Pacific/Samoa US/Samoa
`;
